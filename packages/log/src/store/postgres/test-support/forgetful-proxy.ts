import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A proxy before Postgres that loses the answer to the next statement with a text in it, and the connection; with `lose`, the next from then on. */
export async function startForgetfulProxy(url: string, text?: string) {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-proxy-"));
  const { hostname } = new URL(url);
  const target = join(decodeURIComponent(hostname), ".s.PGSQL.5432");
  let doomed = text;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(target);
    let isDoomed = false;
    client.on("data", (data) => {
      isDoomed ||= doomed !== undefined && data.includes(doomed);
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (!isDoomed) return client.write(data);
      lost += 1;
      doomed = undefined;
      return client.destroy();
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(join(directory, ".s.PGSQL.5432"), resolve));
  return {
    url: url.replace(hostname, encodeURIComponent(directory)),
    lost: () => lost,
    lose(next: string) {
      doomed = next;
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}
