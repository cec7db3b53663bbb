import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A proxy before Postgres that can cut all connections, keep new ones waiting, and lose what goes over those there are. */
export async function startHoldingProxy(url: string) {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-proxy-"));
  const { hostname } = new URL(url);
  const target = join(decodeURIComponent(hostname), ".s.PGSQL.5432");
  const clients = new Set<Socket>();
  const upstreams = new Set<Socket>();
  /** Undefined while connections are let through. */
  let held: Socket[] | undefined;
  let onHeld: (() => void) | undefined;
  const forward = (client: Socket) => {
    const upstream = connect(target);
    upstreams.add(upstream);
    upstream.once("close", () => upstreams.delete(upstream));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  };
  const server = createServer((client) => {
    clients.add(client);
    client.on("error", () => undefined);
    client.once("close", () => clients.delete(client));
    if (!held) return forward(client);
    held.push(client);
    return onHeld?.();
  });
  await new Promise<void>((resolve) => server.listen(join(directory, ".s.PGSQL.5432"), resolve));
  return {
    url: url.replace(hostname, encodeURIComponent(directory)),
    connections: () => clients.size,
    /** Cuts all connections; resolves when somebody waits for a new one. */
    async hold() {
      held = [];
      const waits = new Promise<void>((resolve) => (onHeld = resolve));
      for (const client of clients) client.destroy();
      await waits;
    },
    /** The connections that there are carry nothing any more, and no one hears of it. */
    lose() {
      for (const socket of [...clients, ...upstreams]) socket.unpipe().resume();
    },
    letThrough() {
      for (const client of held ?? []) forward(client);
      held = undefined;
    },
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}
