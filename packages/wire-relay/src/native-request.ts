import { isObject, startTimer, systemClock } from "@turnwire/base";
import { eventFrom, restoreEvent } from "@turnwire/log";
import { isRequestAbout } from "@turnwire/runtime";
import type { OpenSession } from "@turnwire/wire";
import { hasNativeLines } from "./dialect/relay.ts";

/** How far back the line of a request is searched. */
const SEARCHED_EVENTS = 5000;
const PAGE_EVENTS = 500;
/** The request follows its line at once; a fast front end may still be faster. */
const REQUEST_MS = 5000;

/** Our id of a request that a CLI named by its own: front ends know only the CLI's line. */
export async function nativeRequestId(
  session: OpenSession,
  cliRequestId: string,
): Promise<string | undefined> {
  if (!hasNativeLines(session.control)) return undefined;
  const toolUseId = await toolUseOf(session, cliRequestId);
  return toolUseId === undefined ? undefined : requestAbout(session, toolUseId);
}

async function toolUseOf({ log }: OpenSession, id: string): Promise<string | undefined> {
  const floor = Math.max(log.oldest - 1, log.head - SEARCHED_EVENTS);
  for (let end = log.head; end > floor; end -= PAGE_EVENTS) {
    let after = Math.max(end - PAGE_EVENTS, floor);
    while (after < end) {
      const events = await log.read(after, end - after);
      for (const stored of events) {
        if (stored.type !== "native_line" || !stored.json.includes(id)) continue;
        const event = await restoreEvent(eventFrom(log.sessionId, stored), log);
        const found = event.type === "native_line" && toolUseIn(event.data.line, id);
        if (found) return found;
      }
      after = events.at(-1)?.seq ?? end;
    }
  }
  return undefined;
}

/** The tool use that a line asks about, if it is the request with this id. */
function toolUseIn(line: string, id: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value["type"] !== "control_request" || value["request_id"] !== id) {
    return undefined;
  }
  const { request } = value;
  const toolUseId = isObject(request) ? request["tool_use_id"] : undefined;
  return typeof toolUseId === "string" ? toolUseId : id;
}

/** The newest request of ours about a tool use, open or ended; undefined where none comes in time. */
export function requestAbout(session: OpenSession, toolUseId: string): Promise<string | undefined> {
  const find = (): string | undefined => {
    const { requests, outcomes } = session.control;
    const isIt = (id: string): boolean => isRequestAbout(id, toolUseId);
    return Object.keys(requests).findLast(isIt) ?? Object.keys(outcomes).findLast(isIt);
  };
  const known = find();
  if (known !== undefined) return Promise.resolve(known);
  return new Promise((resolve) => {
    let leave: () => void = () => undefined;
    const end = (id: string | undefined): void => {
      cancel();
      leave();
      resolve(id);
    };
    const cancel = startTimer(systemClock, REQUEST_MS, () => end(undefined));
    leave = session.log.subscribe({
      onEvents: () => {
        const id = find();
        if (id !== undefined) end(id);
      },
      onEnd: () => end(undefined),
    });
  });
}
