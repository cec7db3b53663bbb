import { randomUUID } from "node:crypto";
import type { RelayInfo } from "@turnwire/protocol";
import type { WireHost } from "@turnwire/wire";

/** A header of what a relay answers to a plain GET of its root: what others may know of it. */
export const GREETING_HEADER = "turnwire-relay";

export interface Greeting {
  readonly needsToken: boolean;
  /** Names the sessions that it carries. */
  readonly hostId: string;
  readonly webUrl?: string | undefined;
}

const ids = new WeakMap<WireHost, string>();

/** An id that tells the sessions of one host from those of any other, on this machine. */
export function hostIdOf(host: WireHost): string {
  const known = ids.get(host) ?? randomUUID();
  ids.set(host, known);
  return known;
}

export function greetingText({ needsToken, hostId, webUrl }: Greeting): string {
  const fields = new URLSearchParams({ auth: needsToken ? "token" : "none", host: hostId });
  if (webUrl !== undefined) fields.set("web", webUrl);
  return fields.toString();
}

/** What answered on a port, as far as it matters here. */
export interface PortAnswer {
  readonly status: number;
  /** The header of Turnwire's relays. */
  readonly greeting: string | undefined;
  readonly body: string;
}

/** The relay that gave this answer; undefined where it is something else. */
export function relayFrom(answer: PortAnswer, hostId: string): Omit<RelayInfo, "port"> | undefined {
  if (answer.greeting !== undefined) return ownKind(new URLSearchParams(answer.greeting), hostId);
  const open = { needs_token: false, is_own: false };
  if (answer.status === 426 && answer.body.startsWith("WebSocket upgrade required")) {
    return { program: "agents-ui", ...open };
  }
  return answer.status === 200 && answer.body === "loop" ? { program: "loop", ...open } : undefined;
}

function ownKind(fields: URLSearchParams, hostId: string): Omit<RelayInfo, "port"> {
  const web = fields.get("web") ?? "";
  return {
    program: "turnwire",
    needs_token: fields.get("auth") !== "none",
    is_own: fields.get("host") === hostId,
    // It becomes a link: whatever has the port could have sent anything.
    ...(isLocalAddress(web) && { web_url: web }),
  };
}

function isLocalAddress(text: string): boolean {
  return /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:\/[\w./~-]*)?$/.test(text);
}
