import { isObject } from "@turnwire/base";
import { accepted, rejected, requestOf, type Result, SessionId } from "@turnwire/protocol";
import type { DialledCli } from "./dialled-cli.ts";
import type { OpenSession } from "@turnwire/wire";

type Line = Readonly<Record<string, unknown>>;

/** What a line of a front end can be meant for. */
export interface LineTargets {
  /** The sessions that it follows. */
  readonly sessions: readonly OpenSession[];
  /** Of these, the ones whose CLI is connected. */
  readonly connectedIds: readonly string[];
  /** A CLI that waits for its first message. */
  readonly waiting: DialledCli | undefined;
  /** The CLI that made a request before it had named its conversation. */
  readonly asking: (requestId: string) => DialledCli | undefined;
}

/**
 * Who a line is for. other: a session that the front end does not follow, or where there is none the CLI
 * that waits for its first message; request: none is known by this id.
 */
export type LineTarget =
  | { readonly type: "session"; readonly session: OpenSession }
  | { readonly type: "other"; readonly id: string; readonly waiting: DialledCli | undefined }
  | { readonly type: "asking"; readonly id: string; readonly cli: DialledCli }
  | { readonly type: "request"; readonly id: string }
  | { readonly type: "cli"; readonly cli: DialledCli };

/** Finds whom a line is for: by the request that it answers, by the session that it names, or because there is only one. */
export function targetOf(line: Line, targets: LineTargets): Result<LineTarget> {
  const named = sessionIdOf(line);
  if (line["type"] === "control_response") return requestTarget(line, named, targets);
  if (named === undefined) return onlyTarget(line, targets);
  return namedTarget(named, targets);
}

function namedTarget(id: string, { sessions, waiting }: LineTargets): Result<LineTarget> {
  const session = sessions.find((each) => isNamed(each, id));
  if (session) return accepted({ type: "session", session });
  if (SessionId.safeParse(id).success) return accepted({ type: "other", id, waiting });
  return rejected("invalid_request", "session_id is not the id of a session.");
}

/** Also one that has ended, so that a late answer learns how. */
function requestTarget(
  line: Line,
  named: string | undefined,
  targets: LineTargets,
): Result<LineTarget> {
  const id = requestIdOf(line);
  if (id === undefined) return rejected("invalid_request", "request_id must be a string.");
  const session =
    targets.sessions.find(({ control }) => requestOf(control, id) !== undefined) ??
    targets.sessions.find(({ control }) => Object.hasOwn(control.outcomes, id));
  if (session) return accepted({ type: "session", session });
  const cli = targets.asking(id);
  if (cli) return accepted({ type: "asking", id, cli });
  if (named !== undefined && targets.sessions.every((each) => !isNamed(each, named))) {
    return namedTarget(named, targets);
  }
  return accepted({ type: "request", id });
}

function isNamed({ id, control }: OpenSession, name: string): boolean {
  return id === name || control.session.provider_session_id === name;
}

/** The same answer for a request by another id of it. */
export function answerTo(line: Line, requestId: string): Line {
  const { response } = line;
  return isObject(response)
    ? { ...line, response: { ...response, request_id: requestId } }
    : { ...line, request_id: requestId };
}

/** A CLI that waits for its first message cannot be named; a prompt without a name is for it. */
function onlyTarget({ type }: Line, targets: LineTargets): Result<LineTarget> {
  const { sessions, connectedIds, waiting } = targets;
  if (waiting && (type === "user" || connectedIds.length === 0)) {
    return accepted({ type: "cli", cli: waiting });
  }
  const connected = sessions.filter(({ id }) => connectedIds.includes(id));
  const live = sessions.filter(({ control }) => control.session.status === "live");
  const [first, ...others] = connected.length > 0 ? connected : live;
  if (!first) {
    const message =
      "No CLI is connected, and no session runs: start a CLI with --sdk-url, or name a session_id.";
    return rejected("session_not_found", message, { reason: "no_agent" });
  }
  if (others.length === 0) return accepted({ type: "session", session: first });
  const message = `There are ${others.length + 1} sessions: name one by session_id.`;
  return rejected("invalid_request", message, { reason: "session_ambiguous" });
}

function sessionIdOf({ session_id: id }: Line): string | undefined {
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Of the nested form and of the flat one. */
function requestIdOf({ response, request_id }: Line): string | undefined {
  const id = isObject(response) ? response["request_id"] : request_id;
  return typeof id === "string" ? id : undefined;
}
