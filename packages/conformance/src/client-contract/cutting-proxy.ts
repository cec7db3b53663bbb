import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface CuttingProxy {
  readonly url: string;
  /** From now on event streams are cut: the nth one (from 0) after so many bytes of its body. */
  cut(bytesOf: (stream: number) => number): void;
  /** How many streams were cut since `cut` was called. */
  readonly cuts: number;
  close(): Promise<void>;
}

const HEAD_END = "\r\n\r\n";

/**
 * Stands between a client and a server and breaks event streams off, in the middle of a frame or
 * between two. Other responses pass whole.
 */
export async function openCuttingProxy(target: URL): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let bytesOf: (stream: number) => number = () => Infinity;
  let streams = 0;
  let cuts = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    let left: number | undefined;
    upstream.on("data", (chunk: Buffer) => {
      const head = left === undefined ? streamHeadOf(chunk) : 0;
      if (head === undefined) {
        client.write(chunk);
        return;
      }
      if (left === undefined) {
        left = bytesOf(streams) + head;
        streams += 1;
      }
      const part = chunk.subarray(0, left);
      left -= part.length;
      if (left > 0) {
        client.write(part);
        return;
      }
      cuts += 1;
      upstream.destroy();
      client.write(part, () => client.destroy());
    });
    upstream.on("end", () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    cut(limits) {
      bytesOf = limits;
      streams = 0;
      cuts = 0;
    },
    get cuts() {
      return cuts;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The length of the head where an event stream begins; undefined for any other bytes. */
function streamHeadOf(chunk: Buffer): number | undefined {
  const end = chunk.indexOf(HEAD_END);
  if (end < 0 || !chunk.subarray(0, 5).equals(Buffer.from("HTTP/"))) return undefined;
  const head = chunk.subarray(0, end).toString("latin1");
  return /^content-type: *text\/event-stream/im.test(head) ? end + HEAD_END.length : undefined;
}
