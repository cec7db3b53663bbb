import { useRequests, type SessionRequest } from "@turnwire/react";
import { useEffect, useRef } from "react";
import { usePane } from "../page/pane.ts";
import style from "./request-bar.module.css";
import { useRequestPlaces, useSeenRequests } from "./use-request-places.ts";
import { hookTitle } from "./hook-subject.ts";
import { permissionSubject, permissionTitle, subjectLine } from "./permission-subject.ts";

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

/** What a request asks, in one sentence, for screen readers. */
function requestWords(asked: SessionRequest): string {
  switch (asked.type) {
    case "permission": {
      const { request } = asked;
      const subject = permissionSubject(request);
      const line = subject.type === "command" ? ` ${subjectLine(subject, "")}` : "";
      return `${permissionTitle(subject, request.tool_name)}${line}`;
    }
    case "question":
      return asked.request.questions[0]?.question ?? "A question";
    case "hook":
      return hookTitle(asked.request);
    case "interrupt":
      return `The agent needs an answer in ${asked.request.component_name}`;
    case "tool_call":
      return `The agent wants to use ${asked.request.tool_name}`;
    case "budget":
      return "The session has reached its budget";
  }
}
