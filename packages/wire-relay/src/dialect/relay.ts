import { isObject } from "@turnwire/base";
import type { SessionEvent, SessionEventOf, SessionState } from "@turnwire/protocol";
import { type Frame, plainFrame, type StatefulDialect, streamJson } from "@turnwire/wire";

/** A line of 16 MiB is put back whole: escapes make it longer than its bytes. */
const INLINED_BYTES = 24 * 1024 * 1024;

/**
 * Any session as the lines of a relay: those of an agent that dialled in as they were, but for the
 * name of its conversation where a line lacks it, the work of every other agent as stream-json, and a
 * person's answer as a response.
 */
export const relay: StatefulDialect = {
  type: "stateful",
  name: "relay",
  inlinedBytes: INLINED_BYTES,
  frames: (before, event) => {
    if (event.type === "native_line") {
      const { session_id, provider_session_id = session_id } = before.session;
      return lineFrames(event).map(({ name, data }) => ({
        name,
        data: namedLine(data, provider_session_id),
      }));
    }
    return projectedFrames(before, event).map((frame) => named(frame, before));
  },
  opening: (state) => streamJson.opening(state).map((frame) => named(frame, state)),
  commandFrom: (input, control) => streamJson.commandFrom(input, control),
};

/** The same with every line as it was; what the agent wrote is named "line", what it was sent "said". */
export const unnamedRelay: StatefulDialect = {
  ...relay,
  name: "relay-unnamed",
  frames: (before, event) =>
    event.type === "native_line" ? lineFrames(event) : relay.frames(before, event),
};

/** Whether the lines of the session's agent are in its log. */
export function hasNativeLines({ session }: Pick<SessionState, "session">): boolean {
  return session.capabilities.native_lines === true;
}

/** What an agent asks us because of how we set it up: no front end could answer that. */
const OWN_REQUESTS: ReadonlySet<unknown> = new Set(["hook_callback", "mcp_message"]);

/** A front end sees what the agent wrote and what people said to it; the rest is between the agent and us. */
function lineFrames({ data }: SessionEventOf<"native_line">): Frame[] {
  const { line, direction } = data;
  if (direction === "to_agent") return isSaid(line) ? [{ name: "said", data: line }] : [];
  return isOwn(line) ? [] : [{ name: "line", data: line }];
}

/** Where lines of several conversations meet, a request, its answer and a prompt must state whose they are. */
export function namedLine(line: string, conversationId: string): string {
  if (!line.includes('"control_') && !line.includes('"user"')) return line;
  const value = objectFrom(line);
  const { type, session_id: id } = value;
  const needsName = typeof type === "string" && (type === "user" || type.startsWith("control_"));
  if (!needsName || (typeof id === "string" && id !== "")) return line;
  return JSON.stringify({ ...value, session_id: conversationId });
}

/** Whether only the relay itself can answer a line. */
export function isOwn(line: string): boolean {
  const { type, request } = objectFrom(line);
  return type === "control_request" && isObject(request) && OWN_REQUESTS.has(request["subtype"]);
}

/** Whether a person said it to the agent: a prompt, or the answer to a request for permission. */
export function isSaid(line: string): boolean {
  const { type, response } = objectFrom(line);
  if (type !== "control_response" || !isObject(response)) return type === "user";
  const { response: answer } = response;
  return isObject(answer) && typeof answer["behavior"] === "string";
}

/** Nothing where the line is not a JSON object. */
export function objectFrom(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function projectedFrames(before: SessionState, event: SessionEvent): readonly Frame[] {
  if (hasNativeLines(before) && !isUnsaid(event)) return [];
  return [...answerFrames(before, event), ...streamJson.frames(before, event)];
}

/** Whether no line of the agent says it: hooks, whose lines are left out, and requests and turns that ended because it was lost. */
function isUnsaid(event: SessionEvent): boolean {
  switch (event.type) {
    case "hook_request":
    case "hook_resolved":
    case "done":
      return true;
    case "permission_resolved":
    case "question_resolved":
      return event.data.outcome === "orphaned" || event.data.outcome === "expired";
    default:
      return false;
  }
}

/** On a connection with many sessions a request must state whose it is. */
function named(frame: Frame, { session }: SessionState): Frame {
  if (!frame.name.startsWith("control_")) return frame;
  const line = { ...objectFrom(frame.data), session_id: session.session_id };
  return { ...frame, data: JSON.stringify(line) };
}

/** The answer that a request got, for everybody who did not give it: as the CLI is answered. */
function answerFrames(before: SessionState, event: SessionEvent): Frame[] {
  const response = answerOf(before, event);
  if (!response || !("correlation_id" in event.data)) return [];
  const { correlation_id: request_id } = event.data;
  const nested = { subtype: "success", request_id, response };
  return [plainFrame({ type: "control_response", response: nested })];
}

/** Undefined where it was not answered. */
function answerOf(before: SessionState, event: SessionEvent): object | undefined {
  switch (event.type) {
    case "permission_resolved": {
      const { outcome, correlation_id, allowed, message, updated_input } = event.data;
      if (outcome !== "answered") return undefined;
      if (!allowed) return { behavior: "deny", message: message ?? "" };
      const request = before.requests[correlation_id];
      const asked = request?.type === "permission_request" ? request.data.tool_input : {};
      return { behavior: "allow", updatedInput: updated_input ?? asked };
    }
    case "question_resolved": {
      const { outcome, answers } = event.data;
      if (outcome !== "answered") return undefined;
      return { behavior: "allow", updatedInput: { answers: answers ?? {} } };
    }
    case "hook_resolved": {
      const { outcome, decision } = event.data;
      return outcome === "answered" ? (decision ?? {}) : undefined;
    }
    default:
      return undefined;
  }
}
