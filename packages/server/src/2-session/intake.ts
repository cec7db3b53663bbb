import { randomUUID } from "node:crypto";
import type { CommandOf, SessionEvent } from "@turnwire/protocol";
import type { DecidedCommand, Decision } from "./decide.ts";
import { decide } from "./decide.ts";
import type { Effect } from "./effect.ts";
import type { InputLedger } from "./input-ledger.ts";
import { digestOf } from "./input-ledger.ts";
import type { Principal } from "./principal.ts";
import type { Recorder } from "./recorder.ts";
import type { Result } from "./result.ts";
import { accepted, rejected } from "./result.ts";
import type { StoredInput } from "./store.ts";

type Said = CommandOf<"user_message"> | CommandOf<"steer">;

/** A decided command on its way into the store. */
export interface Pending {
  readonly seq: number;
  readonly messageId?: string;
  /** The same message had been accepted before; nothing was done again. */
  readonly duplicate?: boolean;
  readonly committed: Promise<void>;
  readonly effects: readonly Effect[];
}

export interface IntakeOptions {
  readonly recorder: Recorder;
  readonly inputs: InputLedger;
  readonly maxQueue: number;
}

/** Takes commands into the log, each message once. Callers run it one command at a time. */
export class Intake {
  readonly #recorder: Recorder;
  readonly #inputs: InputLedger;
  readonly #maxQueue: number;

  constructor(options: IntakeOptions) {
    this.#recorder = options.recorder;
    this.#inputs = options.inputs;
    this.#maxQueue = options.maxQueue;
  }

  async take(command: DecidedCommand, principal: Principal): Promise<Result<Pending>> {
    const said = command.type === "user_message" || command.type === "steer" ? command : undefined;
    if (said?.client_message_id !== undefined) {
      const earlier = await this.#inputs.find(said.client_message_id);
      if (earlier) return this.#repeat(said, earlier);
    }
    this.#recorder.flush();
    const messageId = randomUUID();
    const decision = decide(this.#recorder.control, command, {
      by: principal.id,
      isAdmin: principal.isAdmin,
      messageId,
      maxQueue: this.#maxQueue,
    });
    if (!decision.ok) return decision;
    return accepted(this.#keep(decision, said && { command: said, messageId }));
  }

  #keep(
    decision: Extract<Decision, { ok: true }>,
    said: { command: Said; messageId: string } | undefined,
  ): Pending {
    const seq = this.#recorder.control.seq + decision.events.length;
    const inputs: StoredInput[] = [];
    if (said?.command.client_message_id !== undefined) {
      const clientMessageId = said.command.client_message_id;
      inputs.push({ clientMessageId, seq, digest: digestOf(said.command) });
    }
    const { committed } = this.#recorder.record(decision.events, inputs);
    for (const input of inputs) this.#inputs.remember(input);
    const { effects } = decision;
    return { seq, committed, effects, ...(said && { messageId: said.messageId }) };
  }

  async #repeat(said: Said, earlier: StoredInput): Promise<Result<Pending>> {
    if (earlier.digest !== digestOf(said)) {
      return rejected(
        "idempotency_conflict",
        `The client_message_id ${earlier.clientMessageId} was used for another message.`,
      );
    }
    const { log } = this.#recorder;
    await log.settled;
    const [stored] = await log.read(earlier.seq - 1, 1);
    const event: SessionEvent | undefined = stored && JSON.parse(stored.json);
    return accepted({
      seq: earlier.seq,
      duplicate: true,
      committed: Promise.resolve(),
      effects: [],
      ...(event?.type === "user_message" && { messageId: event.data.message_id }),
    });
  }
}
