import { isObject } from "@turnwire/base";
import type { SessionEvent, SessionEventOf, SessionState } from "@turnwire/protocol";
import type { Frame, StatefulDialect } from "./dialect.ts";
import { streamJson } from "./stream-json.ts";
import { answerFrames } from "./relay/answer.ts";

/** A line of 16 MiB is put back whole: escapes make it longer than its bytes. */
const INLINED_BYTES = 24 * 1024 * 1024;

/**
 * Any session as the lines of a relay. What an agent that dialled in wrote comes as it was, byte for
 * byte, and every other agent's work as stream-json; what a person answered comes as a response.
 */
export const relay: StatefulDialect = {
  type: "stateful",
  name: "relay",
  inlinedBytes: INLINED_BYTES,
  frames: (before, event) => {
    if (event.type === "native_line") return lineFrames(event);
    const frames = [...answerFrames(before, event), ...projectedFrames(before, event)];
    return frames.map((frame) => named(frame, before));
  },
  opening: (state) => streamJson.opening(state).map((frame) => named(frame, state)),
  commandFrom: (input, control) => streamJson.commandFrom(input, control),
};

/** Whether the lines of the session's agent are in its log. */
export function hasNativeLines({ session }: Pick<SessionState, "session">): boolean {
  return session.capabilities.native_lines === true;
}

/** What an agent asks us because of how we set it up: no front end could answer that. */
const OWN_REQUESTS: ReadonlySet<unknown> = new Set(["hook_callback", "mcp_message"]);

/** A front end sees what the agent wrote and the prompts that it got; the rest is between the agent and us. */
function lineFrames({ data }: SessionEventOf<"native_line">): Frame[] {
  const { line, direction } = data;
  const { type, request } = objectFrom(line);
  const isOwn =
    type === "control_request" && isObject(request) && OWN_REQUESTS.has(request["subtype"]);
  const isShown = direction === "from_agent" ? !isOwn : type === "user";
  return isShown ? [{ name: "line", data: line }] : [];
}

/** Nothing where the line is no JSON object. */
function objectFrom(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Of a session whose lines are passed on, only what its agent has no line for. */
function projectedFrames(before: SessionState, event: SessionEvent): readonly Frame[] {
  if (!hasNativeLines(before)) return streamJson.frames(before, event);
  switch (event.type) {
    case "hook_request":
    case "permission_resolved":
    case "question_resolved":
    case "hook_resolved":
      return streamJson.frames(before, event);
    default:
      return [];
  }
}

/** On a connection with many sessions a request must state whose it is. */
function named(frame: Frame, { session }: SessionState): Frame {
  if (!frame.name.startsWith("control_")) return frame;
  const line = { ...objectFrom(frame.data), session_id: session.session_id };
  return { ...frame, data: JSON.stringify(line) };
}
