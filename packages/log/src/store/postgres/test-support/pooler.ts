import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** As PgBouncer shares connections to the server among its clients. */
type PoolMode = "session" | "transaction";

const READY = 0x5a;
const IDLE = 0x49;
const KEY_DATA = 0x4b;

/** What PgBouncer 1.18 lets a connection begin with; it refuses whatever else is asked for. */
const startupParameters: ReadonlySet<string> = new Set([
  "user",
  "database",
  "application_name",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
]);

/** A server connection that has logged in, with what the server said meanwhile. */
interface Backend {
  readonly socket: Socket;
  readonly greeting: Buffer;
}

/** A small pooler: it logs in by itself and gives a server connection to one client at a time. */
export async function startPooler(url: string, mode: PoolMode) {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-pooler-"));
  const target = join(decodeURIComponent(new URL(url).hostname), ".s.PGSQL.5432");
  const pool = new Pool(target, mode);
  const server = createServer((client) => pool.serve(client));
  await listen(server, join(directory, ".s.PGSQL.5432"));
  return {
    url: url.replace(new URL(url).hostname, encodeURIComponent(directory)),
    async close() {
      pool.close();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true });
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve) => server.listen(path, resolve));
}

class Pool {
  readonly #target: string;
  readonly #mode: PoolMode;
  readonly #idle: Backend[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(target: string, mode: PoolMode) {
    this.#target = target;
    this.#mode = mode;
  }

  serve(client: Socket): void {
    this.#track(client);
    let backend: Promise<Backend> | undefined;
    let isGreeted = false;
    client.on("data", (data) => {
      const startup = isGreeted ? undefined : data;
      const refused = startup && refusedParameter(startup);
      if (refused !== undefined) return void client.end(refusal(refused));
      const sent = isGreeted ? data : undefined;
      isGreeted = true;
      backend ??= this.#take(client, startup ?? data, () => {
        backend = undefined;
      });
      void backend.then(({ socket, greeting }) => {
        if (startup) {
          client.write(withOtherProcess(greeting));
          if (this.#mode === "transaction") socket.emit("released");
        }
        if (sent) socket.write(sent);
      });
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #take(client: Socket, startup: Buffer, onReleased: () => void): Promise<Backend> {
    const backend = this.#idle.pop() ?? (await this.#login(startup));
    const { socket } = backend;
    const onData = (data: Buffer) => {
      client.write(data);
      // The last message of an answer is that the server is ready, and whether in a transaction.
      const isReady = data.at(-6) === READY && data.at(-1) === IDLE;
      if (isReady && this.#mode === "transaction") socket.emit("released");
    };
    socket.on("data", onData);
    socket.once("released", () => {
      socket.off("data", onData);
      onReleased();
      this.#idle.push(backend);
    });
    client.once("close", () => {
      if (this.#mode === "session") socket.destroy();
    });
    return backend;
  }

  async #login(startup: Buffer): Promise<Backend> {
    const socket = connect(this.#target);
    this.#track(socket);
    socket.write(startup);
    const chunks: Buffer[] = [];
    await new Promise<void>((resolve) => {
      const onData = (data: Buffer) => {
        chunks.push(data);
        const all = Buffer.concat(chunks);
        if (all.at(-6) !== READY) return;
        socket.off("data", onData);
        resolve();
      };
      socket.on("data", onData);
    });
    return { socket, greeting: Buffer.concat(chunks) };
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** The name of the first parameter in the message that begins a connection that is not accepted. */
function refusedParameter(startup: Buffer): string | undefined {
  // After its length and the version of the protocol: names and values, each ended by a NUL.
  const texts = startup.subarray(8).toString().split("\0");
  return texts.find((name, at) => at % 2 === 0 && name && !startupParameters.has(name));
}

function refusal(name: string): Buffer {
  const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`;
  return Buffer.from(`E\0\0\0${String.fromCharCode(4 + text.length)}${text}`, "latin1");
}

/** A pooler gives its clients a process number of its own making. */
function withOtherProcess(greeting: Buffer): Buffer {
  const changed = Buffer.from(greeting);
  for (let at = 0; at < changed.length; at += 1 + changed.readInt32BE(at + 1)) {
    if (changed[at] === KEY_DATA) changed.writeInt32BE(1, at + 5);
  }
  return changed;
}
