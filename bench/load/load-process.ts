import { BenchChild } from "../child.ts";
import type { LoadCommand, LoadOutcome, LoadPlan, LoadReport } from "./message.ts";

/** Readers in a process of their own; what they find wrong rejects whatever is waited for. */
export class LoadProcess {
  readonly #child = new BenchChild<LoadCommand, LoadReport>(
    "the reading process",
    new URL("./reader.ts", import.meta.url),
  );

  /** Opens all sockets, without asking for anything yet. */
  async connect(plan: LoadPlan): Promise<void> {
    this.#child.send({ type: "connect", plan });
    await this.#child.next("connected");
  }

  /** Sends all requests at once; `answered` and `done` follow. */
  ask(): void {
    this.#child.send({ type: "ask" });
  }

  async answered(): Promise<void> {
    await this.#child.next("answered");
  }

  /** Resolves when every reader that is not stalled has every event; rejects when one is lost. */
  done(): Promise<LoadOutcome> {
    return this.#child.next("done");
  }

  async disconnect(): Promise<void> {
    this.#child.send({ type: "disconnect" });
    await this.#child.next("disconnected");
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
