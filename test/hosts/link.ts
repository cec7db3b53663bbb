import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/**
 * open: bytes pass. cut: connections break and new ones are refused. silent: connections stay, but
 * nothing passes until it is open again, and then all that was on its way arrives late.
 */
export type LinkState = "open" | "cut" | "silent";

/** A connection between two processes that a test can break: a proxy of TCP ports or socket files. */
export class Link {
  readonly #pairs = new Set<Pair>();
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => this.#take(socket));
  readonly #targets: () => readonly NetConnectOpts[];
  #state: LinkState = "open";

  /** `targets` are asked for at each connection; the first one that accepts it gets it. */
  constructor(targets: () => readonly NetConnectOpts[]) {
    this.#targets = targets;
  }

  /** On a free port of this machine; answers with it. */
  async listen(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no TCP port");
    return address.port;
  }

  async listenOn(path: string): Promise<void> {
    this.#server.listen(path);
    await once(this.#server, "listening");
  }

  get state(): LinkState {
    return this.#state;
  }

  set state(state: LinkState) {
    this.#state = state;
    for (const pair of this.#pairs) {
      if (state === "cut") pair.destroy();
      else if (state === "silent") pair.pause();
      else pair.resume();
    }
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) pair.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #take(client: Socket): void {
    if (this.#state === "cut") {
      client.destroy();
      return;
    }
    const pair = new Pair(client, this.#targets());
    this.#pairs.add(pair);
    client.once("close", () => this.#pairs.delete(pair));
    if (this.#state === "silent") pair.pause();
  }
}

/** One connection and its continuation. */
class Pair {
  readonly #client: Socket;
  #server: Socket | undefined;
  #isHalted = false;

  constructor(client: Socket, targets: readonly NetConnectOpts[]) {
    this.#client = client;
    client.on("error", () => this.destroy());
    client.on("close", () => this.#server?.destroy());
    this.#connect(targets);
  }

  destroy(): void {
    this.#client.destroy();
    this.#server?.destroy();
  }

  pause(): void {
    this.#isHalted = true;
    this.#client.unpipe();
    this.#server?.unpipe();
    this.#client.pause();
    this.#server?.pause();
  }

  resume(): void {
    this.#isHalted = false;
    this.#join();
  }

  #connect([target, ...others]: readonly NetConnectOpts[]): void {
    if (target === undefined) {
      this.destroy();
      return;
    }
    const server = connect(target);
    server.once("connect", () => {
      if (this.#client.destroyed) {
        server.destroy();
        return;
      }
      server.off("error", tryNext);
      server.on("error", () => this.destroy());
      server.on("close", () => this.#client.destroy());
      this.#server = server;
      if (!this.#isHalted) this.#join();
    });
    const tryNext = () => this.#connect(others);
    server.once("error", tryNext);
  }

  #join(): void {
    if (!this.#server) return;
    this.#client.pipe(this.#server);
    this.#server.pipe(this.#client);
  }
}
