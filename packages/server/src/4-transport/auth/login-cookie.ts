import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { portOf } from "../http/host-list.ts";

/** Longer than any log-in lives: the server decides when one ends. */
const COOKIE_LIFE_SECONDS = 90 * 24 * 60 * 60;

/**
 * The cookie of a log-in. Browsers send it to every port of the host, so it proves nothing by
 * itself; its name differs by server and port, so that two of them do not overwrite each other's.
 */
export class LoginCookie {
  /** The name before log-ins had page keys. */
  readonly #oldName: string;

  /** `serverId` differs by token. */
  constructor(serverId: string) {
    this.#oldName = `turnwire_${serverId}`;
  }

  /** The cookie's value in a request. */
  valueIn(incoming: IncomingMessage): string | undefined {
    return valueOf(this.#nameFor(incoming), incoming.headers.cookie);
  }

  /** Whether a browser logged in here before log-ins had page keys. */
  hasOldValue(incoming: IncomingMessage): boolean {
    return valueOf(this.#oldName, incoming.headers.cookie) !== undefined;
  }

  /** The Set-Cookie header that keeps a value in the browser. */
  setHeader(incoming: IncomingMessage, value: string): string {
    return this.#header(incoming, value, COOKIE_LIFE_SECONDS);
  }

  /** The Set-Cookie header that makes the browser forget it. */
  clearHeader(incoming: IncomingMessage): string {
    return this.#header(incoming, "", 0);
  }

  #header(incoming: IncomingMessage, value: string, lifeSeconds: number): string {
    const isEncrypted = incoming.socket instanceof TLSSocket;
    const isForwarded = incoming.headers["x-forwarded-proto"] === "https";
    const secure = isEncrypted || isForwarded ? "; Secure" : "";
    const name = this.#nameFor(incoming);
    return `${name}=${value}; Max-Age=${lifeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure}`;
  }

  #nameFor(incoming: IncomingMessage): string {
    const port = portOf(incoming.headers.host ?? "");
    return port === undefined ? this.#oldName : `${this.#oldName}_${port}`;
  }
}

function valueOf(name: string, header: string | undefined): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
