import { useRequests } from "@turnwire/react";
import { useEffect, useRef } from "react";
import { usePane } from "../page/pane.ts";
import { requestWords } from "./request-words.ts";
import style from "./request-bar.module.css";
import { useRequestPlaces, useSeenRequests } from "./use-request-places.ts";

/** Announces requests to screen readers, and shows a bar while their cards are out of sight. Alt R goes to the first. */
export function RequestBar() {
  const requests = useRequests().filter(({ progress }) => progress.status !== "responding");
  const seen = useSeenRequests();
  const [first] = requests;
  const hidden = requests.filter(({ id }) => !seen.has(id));
  const [firstHidden] = hidden;
  const places = useRequestPlaces();
  useShowKey(first?.id);
  return (
    <>
      <p className="visually-hidden" aria-live="assertive">
        {first && `The agent asks: ${requestWords(first)} Press Alt R to go there.`}
      </p>
      {firstHidden && (
        <button
          type="button"
          className={`inline-row gap-2 small ink ${style.bar}`}
          onClick={() => places.show(firstHidden.id)}
        >
          <span>
            {hidden.length === 1 ? "1 request needs you" : `${hidden.length} requests need you`}
          </span>
          <span className="strong">Show</span>
          <kbd aria-hidden="true">Alt R</kbd>
        </button>
      )}
    </>
  );
}

function useShowKey(id: string | undefined): void {
  const places = useRequestPlaces();
  const pane = usePane();
  const latest = useRef(id);
  useEffect(() => {
    latest.current = id;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isCommand = event.ctrlKey || event.metaKey || event.shiftKey;
      if (!event.altKey || isCommand || event.code !== "KeyR") return;
      if (latest.current === undefined || !pane.isActive()) return;
      event.preventDefault();
      places.show(latest.current);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [places, pane]);
}
