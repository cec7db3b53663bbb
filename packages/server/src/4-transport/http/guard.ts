import type { IncomingMessage } from "node:http";
import { accepted, rejected, type Result } from "@turnwire/protocol";
import { type HttpResponse, empty } from "@turnwire/wire";
import { hasBody } from "./body.ts";
import { HostList, isLoopbackHost, isOriginOf } from "./host-list.ts";

export interface GuardOptions {
  /** Names beside loopback that the server answers to: `name`, or `name:port`. */
  readonly allowedHosts: readonly string[];
  /** Origins of other sites whose pages may use the server. */
  readonly allowedOrigins: readonly string[];
  /** Whether every page that was loaded from this machine may use the server, whatever its port. */
  readonly allowsLoopbackPages?: boolean;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;
const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Turns away what no honest client sends, before anybody is asked who they are. */
export class Guard {
  readonly #hosts: HostList;
  readonly #origins: ReadonlySet<string>;
  readonly #allowsLoopbackPages: boolean;

  constructor(options: GuardOptions) {
    this.#hosts = new HostList(options.allowedHosts);
    this.#origins = new Set(options.allowedOrigins.map((origin) => new URL(origin).origin));
    this.#allowsLoopbackPages = options.allowsLoopbackPages ?? false;
  }

  /** Who is addressed, and by whose page. */
  checkSource(incoming: IncomingMessage): Result<void> {
    const host = this.#checkHost(incoming);
    if (!host.ok) return host;
    const { origin } = incoming.headers;
    if (origin !== undefined && !this.#isAllowedOrigin(origin, incoming)) {
      const message = `Pages of ${shown(origin)} may not use this server; allow them with --allow-origin.`;
      return rejected("origin_not_allowed", message);
    }
    return accepted(undefined);
  }

  /** Forms can send other types across sites without asking; JSON they cannot. */
  checkBodyType(incoming: IncomingMessage): Result<void> {
    if (!hasBody(incoming)) return accepted(undefined);
    const encoding = incoming.headers["content-encoding"] ?? "identity";
    if (JSON_TYPE.test(incoming.headers["content-type"] ?? "") && encoding === "identity") {
      return accepted(undefined);
    }
    return rejected(
      "unsupported_media_type",
      "Send the body as Content-Type: application/json, not compressed.",
    );
  }

  /** Whether a request that a browser authenticated by itself, with a cookie, was meant by our own page. */
  checkCookieUse(incoming: IncomingMessage): Result<void> {
    const site = incoming.headers["sec-fetch-site"];
    const isMeant =
      incoming.headers.origin !== undefined ||
      site === "same-origin" ||
      (isReading(incoming) && (site === undefined || site === "none"));
    if (isMeant) return accepted(undefined);
    const message = "A request with a cookie must come from a page of this server.";
    return rejected("origin_not_allowed", message);
  }

  /** What lets a page of an allowed origin read the answer. Only for requests whose source was checked. */
  corsHeaders(incoming: IncomingMessage): Record<string, string> {
    const { origin } = incoming.headers;
    if (origin === undefined) return {};
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "Turnwire-Epoch, Turnwire-Head, Turnwire-After, Retry-After",
      "cross-origin-resource-policy": "cross-origin",
      vary: "Origin",
    };
  }

  /** The answer to a browser that asks first whether it may; undefined for any other request. */
  preflight(incoming: IncomingMessage): HttpResponse | undefined {
    const { origin } = incoming.headers;
    const asksFor = incoming.headers["access-control-request-method"];
    if (incoming.method !== "OPTIONS" || origin === undefined || asksFor === undefined) {
      return undefined;
    }
    return empty(204, {
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "Authorization, Content-Type, Last-Event-ID",
      "access-control-max-age": "600",
    });
  }

  #checkHost(incoming: IncomingMessage): Result<void> {
    const isPlain = incoming.url?.startsWith("/") ?? false;
    const [host, ...more] = incoming.headersDistinct.host ?? [];
    if (isPlain && host !== undefined && more.length === 0) {
      if (this.#hosts.allows(host, incoming.socket)) return accepted(undefined);
    }
    const message = `This server does not answer to ${shown(host)}; name it with --allow-host.`;
    return rejected("host_not_allowed", message);
  }

  /**
   * Our own pages, and those of allowed origins. Another port of the same machine is somebody
   * else's page, so a page is ours only at the host and port that it addresses, or under a name
   * that was configured, which a proxy may have replaced in Host.
   */
  #isAllowedOrigin(origin: string, incoming: IncomingMessage): boolean {
    if (this.#origins.has(origin) || isOriginOf(origin, incoming.headers.host ?? "")) return true;
    const [, host] = /^https?:\/\/([^/?#@]+)$/.exec(origin) ?? [];
    if (host === undefined) return false;
    if (this.#allowsLoopbackPages && isLoopbackHost(host)) return true;
    return this.#hosts.isConfigured(host, incoming.socket);
  }
}

/** An upgraded connection carries commands, so asking for one is more than reading. */
function isReading(incoming: IncomingMessage): boolean {
  return READING.has(incoming.method ?? "") && incoming.headers.upgrade === undefined;
}

function shown(value: string | undefined): string {
  return value === undefined ? "a request without Host" : JSON.stringify(value.slice(0, 100));
}
