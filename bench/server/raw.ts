import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

const HEAD = "HTTP/1.1 200 OK\r\n\r\n";

/** The bare minimum: chunks that are joined already go straight to sockets, each reader at its pace. */
export class RawServer {
  readonly #server: Server;
  readonly #streams = new Map<string, RawStream>();

  private constructor() {
    // As HTTP servers do: nothing waits for more to be sent along with it.
    this.#server = createServer({ noDelay: true }, (socket) => {
      socket.once("data", (request) => this.#join(socket, request.toString("latin1")));
      // Readers leave by destroying their end.
      socket.on("error", () => socket.destroy());
    });
  }

  static async start(): Promise<RawServer> {
    const raw = new RawServer();
    await new Promise<void>((resolve) => {
      raw.#server.listen(0, "127.0.0.1", resolve);
    });
    return raw;
  }

  get port(): number {
    // Listening on TCP, an address is never a name.
    return (this.#server.address() as AddressInfo).port;
  }

  newStream(chunks: readonly Buffer[] = []): RawStream {
    const stream = new RawStream(`/${this.#streams.size}`, chunks);
    this.#streams.set(stream.path, stream);
    return stream;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #join(socket: Socket, request: string): void {
    const stream = this.#streams.get(request.split(" ")[1] ?? "");
    if (!stream) throw new Error(`no such stream: ${request}`);
    socket.write(HEAD);
    stream.join(socket);
  }
}

/** A stream that some readers follow. */
export class RawStream {
  readonly path: string;
  readonly #chunks: Buffer[];
  readonly #readers = new Set<RawReader>();

  constructor(path: string, chunks: readonly Buffer[]) {
    this.path = path;
    this.#chunks = [...chunks];
  }

  get request(): string {
    return `GET ${this.path} HTTP/1.1\r\n\r\n`;
  }

  join(socket: Socket): void {
    const reader = new RawReader(socket, this.#chunks);
    this.#readers.add(reader);
    socket.once("close", () => this.#readers.delete(reader));
    reader.advance();
  }

  /** Writes the next chunk to all readers that can take it now. */
  publish(chunk: Buffer): void {
    this.#chunks.push(chunk);
    for (const reader of this.#readers) reader.advance();
  }
}

class RawReader {
  readonly #socket: Socket;
  readonly #chunks: readonly Buffer[];
  #next = 0;
  #isBlocked = false;

  constructor(socket: Socket, chunks: readonly Buffer[]) {
    this.#socket = socket;
    this.#chunks = chunks;
    socket.on("drain", () => {
      this.#isBlocked = false;
      this.advance();
    });
  }

  advance(): void {
    while (!this.#isBlocked) {
      const chunk = this.#chunks[this.#next];
      if (!chunk) return;
      this.#next += 1;
      this.#isBlocked = !this.#socket.write(chunk) && this.#socket.writableLength > 0;
    }
  }
}
