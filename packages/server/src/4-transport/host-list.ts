import type { Socket } from "node:net";

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const WEB_PORTS = new Set([80, 443]);

/** One end of a connection, as far as names for it matter. */
export type LocalEnd = Pick<Socket, "localAddress" | "localPort">;

/**
 * The names this server answers to. A page that rebinds its own name to our address still sends
 * that name, so only known names pass: loopback and the connection's own address, with the port
 * they are served on, and what was configured.
 */
export class HostList {
  readonly #configured: readonly { name: string; port: number | undefined }[];

  constructor(configured: readonly string[]) {
    this.#configured = configured.map((entry) => {
      const parsed = parseHost(entry);
      if (!parsed) throw new RangeError(`"${entry}" is no host name, or host name with port`);
      return parsed;
    });
  }

  allows(host: string, local: LocalEnd): boolean {
    const parsed = parseHost(host);
    if (!parsed) return false;
    const { name, port } = parsed;
    const isOwnPort =
      port === undefined ? WEB_PORTS.has(local.localPort ?? 0) : port === local.localPort;
    if (isOwnPort && (LOOPBACK.has(name) || name === addressName(local.localAddress))) return true;
    return this.#configured.some((entry) => {
      if (entry.name !== name) return false;
      if (entry.port !== undefined) return entry.port === port;
      return port === undefined || isOwnPort || WEB_PORTS.has(port);
    });
  }
}

/** Whether only this machine can reach an address to listen on. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.[0-9]{1,3}){3}$/.test(host);
}

function parseHost(text: string): { name: string; port: number | undefined } | undefined {
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
