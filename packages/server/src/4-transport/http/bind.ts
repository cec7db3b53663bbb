import type { Server } from "node:http";
import { TransportError } from "./transport-error.ts";

export interface ListenOptions {
  /** An address; loopback by default. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
}

export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** Starts to listen; rejects as `port_taken` or `bind_failed` where the address cannot be had. */
export async function bind(
  server: Server,
  { host, port }: Required<ListenOptions>,
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException): void => {
      const message = `cannot listen on ${host}:${port} (${cause.message}); choose another address or port`;
      const code = cause.code === "EADDRINUSE" ? "port_taken" : "bind_failed";
      reject(new TransportError(code, message, { cause }));
    };
    server.once("error", onError);
    server.listen({ host, port }, () => {
      server.off("error", onError);
      resolve();
    });
  });
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return { url: `http://${nameOf(host)}:${bound}`, host, port: bound };
}

/** A name under which this machine reaches itself. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
