import { BenchChild } from "../child.ts";
import type { HostCommand, HostFigures, HostReport } from "./message.ts";

/** A host in a process of its own. */
export class BenchHost {
  readonly #child: BenchChild<HostCommand, HostReport>;
  readonly port: number;
  /** From the start of its store to its first answer. */
  readonly startMs: number;

  static async start(url: string, root: string): Promise<BenchHost> {
    const file = new URL("./host.ts", import.meta.url);
    const child = new BenchChild<HostCommand, HostReport>("a host", file, [url, root]);
    const { port, startMs } = await child.next("listening");
    return new BenchHost(child, port, startMs);
  }

  private constructor(child: BenchChild<HostCommand, HostReport>, port: number, startMs: number) {
    this.#child = child;
    this.port = port;
    this.startMs = startMs;
  }

  async create(sessions: number): Promise<readonly string[]> {
    this.#child.send({ type: "create", sessions });
    return (await this.#child.next("created")).ids;
  }

  async emit(eventsEach: number, seconds?: number): Promise<void> {
    this.#child.send({ type: "emit", eventsEach, seconds });
    await this.#child.next("emitted");
  }

  /** Its consumption so far; `collect` measures the memory without garbage. */
  measure(collect = false): Promise<HostFigures> {
    this.#child.send({ type: "measure", collect });
    return this.#child.next("measured");
  }

  async close(): Promise<void> {
    this.#child.send({ type: "close" });
    await this.#child.next("closed");
    await this.#child.stop();
  }
}
