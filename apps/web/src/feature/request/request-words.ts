import type { SessionRequest } from "@turnwire/react";
import { hookTitle } from "./hook-subject.ts";
import { permissionSubject, permissionTitle, subjectLine } from "./permission-subject.ts";

/** What a request asks, in one sentence, for screen readers. */
export function requestWords(asked: SessionRequest): string {
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
