import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const WEB_PORTS = new Set([80, 443]);

/** One end of a connection, as far as names for it matter. */
export type LocalEnd = Pick<Socket, "localAddress" | "localPort">;

/**
 * The names this server answers to. A page that rebinds its own name to our address still sends
 * that name, so only known names pass: loopback with any port, because a tunnel such as
 * `ssh -L 8080:127.0.0.1:4747` has a port of its own; the connection's own address with the port
 * it is served on; and what was configured.
 */
export class HostList {
  readonly #configured: readonly ParsedHost[];

  constructor(configured: readonly string[]) {
    this.#configured = configured.map((entry) => {
      const parsed = parseHost(entry);
      if (!parsed) throw new RangeError(`"${entry}" is not a host name, or host name with port`);
      return parsed;
    });
  }

  allows(host: string, local: LocalEnd): boolean {
    const parsed = parseHost(host);
    if (!parsed) return false;
    if (LOOPBACK.has(parsed.name)) return true;
    if (isOwnPort(parsed, local) && parsed.name === addressName(local.localAddress)) return true;
    return this.isConfigured(host, local);
  }

  /** Whether a host was named in the configuration. */
  isConfigured(host: string, local: LocalEnd): boolean {
    const parsed = parseHost(host);
    if (!parsed) return false;
    const { name, port } = parsed;
    return this.#configured.some((entry) => {
      if (entry.name !== name) return false;
      if (entry.port !== undefined) return entry.port === port;
      return port === undefined || isOwnPort(parsed, local) || WEB_PORTS.has(port);
    });
  }
}

function isOwnPort({ port }: ParsedHost, { localPort }: LocalEnd): boolean {
  return port === undefined ? WEB_PORTS.has(localPort ?? 0) : port === localPort;
}

/** The port that a Host header names, if any. */
export function portOf(host: string): number | undefined {
  return parseHost(host)?.port;
}

/** Whether a page of this origin was loaded from the host that it now addresses. */
export function isOriginOf(origin: string, host: string): boolean {
  const [, scheme, originHost] = /^(https?):\/\/([^/?#@]+)$/.exec(origin) ?? [];
  const page = parseHost(originHost ?? "");
  const addressed = parseHost(host);
  if (!page || !addressed) return false;
  const defaultPort = scheme === "https" ? 443 : 80;
  const isSamePort = (page.port ?? defaultPort) === (addressed.port ?? defaultPort);
  return page.name === addressed.name && isSamePort;
}

/** Whether a text can stand in `allowedHosts`: a host name, or a host name with a port. */
export function isHostName(text: string): boolean {
  const parsed = parseHost(text);
  return parsed !== undefined && (parsed.port === undefined || parsed.port <= 65_535);
}

/** Whether a host, with or without a port, is a name of this machine for itself. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.has(parseHost(host)?.name ?? "");
}

/** Whether only this machine can reach an address to listen on. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.[0-9]{1,3}){3}$/.test(host);
}

/** Whether a request was made on this machine: a proxy on it keeps the name that its visitors use. */
export function isFromHere({
  socket,
  headers,
}: Pick<IncomingMessage, "socket" | "headers">): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/, "") ?? "";
  return isLoopback(address) && isLoopbackHost(headers.host ?? "");
}

interface ParsedHost {
  readonly name: string;
  readonly port: number | undefined;
}

function parseHost(text: string): ParsedHost | undefined {
  const [, name, port] = HOST.exec(text.toLowerCase()) ?? [];
  if (name === undefined) return undefined;
  return { name, port: port === undefined ? undefined : Number(port) };
}

/** An address as it stands in a Host header. */
function addressName(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/i, "");
  return plain.includes(":") ? `[${plain.toLowerCase()}]` : plain;
}
