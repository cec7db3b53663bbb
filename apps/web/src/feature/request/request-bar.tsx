import { useRequests } from "@turnwire/react";
import { useEffect, useRef, type RefObject } from "react";
import { activePane, paneOf } from "../page/pane.ts";
import { showRequest, useSeenRequests } from "./request-place.ts";
import { requestWords } from "./request-words.ts";
import style from "./request-bar.module.css";

/** Tells of requests: aloud when they come, and in sight while their cards are not. Alt R goes to the first. */
export function RequestBar() {
  const requests = useRequests().filter(({ progress }) => progress.status !== "responding");
  const seen = useSeenRequests();
  const [first] = requests;
  const hidden = requests.filter(({ id }) => !seen.has(id));
  const [firstHidden] = hidden;
  const aloud = useRef<HTMLParagraphElement>(null);
  useShowKey(aloud, first?.id);
  return (
    <>
      <p ref={aloud} className={style.aloud} aria-live="assertive">
        {first && `The agent asks: ${requestWords(first)} Alt R goes there.`}
      </p>
      {firstHidden && (
        <button type="button" className={style.bar} onClick={() => showRequest(firstHidden.id)}>
          <span>{hidden.length === 1 ? "1 request waits" : `${hidden.length} requests wait`}</span>
          <span className={style.show}>Show</span>
          <kbd aria-hidden="true">Alt R</kbd>
        </button>
      )}
    </>
  );
}

function useShowKey(place: RefObject<HTMLElement | null>, id: string | undefined): void {
  const latest = useRef(id);
  useEffect(() => {
    latest.current = id;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isCommand = event.ctrlKey || event.metaKey || event.shiftKey;
      if (!event.altKey || isCommand || event.code !== "KeyR") return;
      const isHere = place.current && paneOf(place.current) === activePane();
      if (latest.current === undefined || !isHere) return;
      event.preventDefault();
      showRequest(latest.current);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [place]);
}
