import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Where a stream's line breaks: after so many bytes of its answer, with its head or without. */
export interface Cut {
  readonly bytes: number;
  readonly of: "answer" | "body";
  /** end: as a server says goodbye; reset: as a network dies. */
  readonly by: "end" | "reset";
}

const streamRequest = /^GET \/(?:[^ ]*\/(?:events|ws)|watch)(?:\?[^ ]*)? /m;
const headEnd = Buffer.from("\r\n\r\n");

/** A line to a server that breaks where a test says. Only streams break; calls go through. */
export class CuttingProxy {
  /** Taken one a stream, in order; a stream without one goes through. */
  readonly cuts: Cut[] = [];
  streamCount = 0;
  upgradeCount = 0;
  /** The behaviour of proxies that do not know WebSockets. */
  refusesUpgrades = false;
  /** Lines stay open, but nothing passes: what a machine that changed networks has. */
  isDead = false;
  /** The server's port. */
  target = 0;
  readonly #lines = new Set<Line>();
  readonly #server = createServer((socket) => this.#take(socket));

  static async start(): Promise<CuttingProxy> {
    const proxy = new CuttingProxy();
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The host names that a server must answer to. */
  get host(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `127.0.0.1:${port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #take(client: Socket): void {
    const line = new Line(client, connect(this.target, "127.0.0.1"), {
      isDead: () => this.isDead,
      isUpgradeRefused: () => {
        this.upgradeCount += 1;
        return this.refusesUpgrades;
      },
      onStream: () => {
        this.streamCount += 1;
        return this.cuts.shift();
      },
    });
    this.#lines.add(line);
    client.once("close", () => this.#lines.delete(line));
  }
}

interface LineOptions {
  readonly isDead: () => boolean;
  readonly isUpgradeRefused: () => boolean;
  readonly onStream: () => Cut | undefined;
}

/** One connection, there and back. */
class Line {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #options: LineOptions;
  #cut: Cut | undefined;
  #head = Buffer.alloc(0);
  #isInBody = false;
  #passed = 0;

  constructor(client: Socket, server: Socket, options: LineOptions) {
    this.#client = client;
    this.#server = server;
    this.#options = options;
    for (const socket of [client, server]) socket.on("error", () => this.destroy());
    client.on("close", () => server.destroy());
    client.on("data", (chunk: Buffer) => this.#up(chunk));
    server.on("data", (chunk: Buffer) => this.#down(chunk));
    server.on("end", () => client.end());
  }

  destroy(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  #up(chunk: Buffer): void {
    if (this.#options.isDead()) return;
    const isUpgrade = /^upgrade: websocket\r$/im.test(chunk.toString("latin1"));
    if (isUpgrade && this.#options.isUpgradeRefused()) {
      this.#server.destroy();
      this.#client.end(
        "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
      );
      return;
    }
    if (streamRequest.test(chunk.toString("latin1"))) this.#cut = this.#options.onStream();
    this.#server.write(chunk);
  }

  #down(chunk: Buffer): void {
    if (this.#options.isDead()) return;
    const cut = this.#cut;
    if (!cut) {
      this.#client.write(chunk);
      return;
    }
    const uncounted = cut.of === "body" ? this.#headBytesIn(chunk) : 0;
    const left = uncounted + cut.bytes - this.#passed;
    this.#passed += chunk.length - uncounted;
    if (chunk.length < left) this.#client.write(chunk);
    else this.#breakAfter(chunk.subarray(0, left), cut);
  }

  /** How many bytes of this chunk belong to the answer's head. */
  #headBytesIn(chunk: Buffer): number {
    if (this.#isInBody) return 0;
    const before = this.#head.length;
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(headEnd);
    if (end < 0) return chunk.length;
    this.#isInBody = true;
    return end + headEnd.length - before;
  }

  #breakAfter(last: Buffer, { by }: Cut): void {
    this.#server.destroy();
    this.#client.write(last, () => {
      if (by === "reset") this.#client.resetAndDestroy();
      else this.#client.end();
    });
  }
}
