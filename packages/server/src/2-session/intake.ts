import { randomUUID } from "node:crypto";
import type { Clock } from "@turnwire/base";
import {
  accepted,
  type CommandOf,
  type EventDraft,
  rejected,
  requestOf,
  type Result,
  type SessionEvent,
} from "@turnwire/protocol";
import type { StoredInput } from "@turnwire/log";
import type { Runtime } from "../1-runtime/runtime.ts";
import { decide, type DecidedCommand, type Decision, type SettingCommand } from "./decide.ts";
import type { Effect } from "./effect.ts";
import {
  digestOf,
  type InputLedger,
  type KnownInput,
  type MessageCommand,
} from "./input-ledger.ts";
import type { Principal } from "./principal.ts";
import type { Recorder } from "./recorder.ts";
import { restoreAnswer } from "./restore.ts";
import type { PolicySource } from "./policy/policy-source.ts";
import { objectionOf } from "./runtime-objection.ts";

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
  readonly runtime: Pick<Runtime, "checkAnswer" | "grantsFrom">;
  readonly policy: PolicySource;
  readonly clock: Clock;
}

/** Takes commands into the log, each message once. Callers run it one command at a time. */
export class Intake {
  readonly #recorder: Recorder;
  readonly #inputs: InputLedger;
  readonly #maxQueue: number;
  readonly #runtime: Pick<Runtime, "checkAnswer" | "grantsFrom">;
  readonly #policy: PolicySource;
  readonly #clock: Clock;

  constructor(options: IntakeOptions) {
    this.#recorder = options.recorder;
    this.#inputs = options.inputs;
    this.#maxQueue = options.maxQueue;
    this.#runtime = options.runtime;
    this.#policy = options.policy;
    this.#clock = options.clock;
  }

  /** Takes all of the commands or, if one of them is refused, none. */
  takeAll(commands: readonly SettingCommand[], principal: Principal): Result<Pending> {
    this.#recorder.flush();
    const events: EventDraft[] = [];
    const effects: Effect[] = [];
    for (const command of commands) {
      const decision = this.#decide(command, principal, randomUUID());
      if (!decision.ok) return decision;
      events.push(...decision.events);
      effects.push(...decision.effects);
    }
    return accepted(this.#keep({ ok: true, events, effects }, undefined));
  }

  async take(command: DecidedCommand, principal: Principal): Promise<Result<Pending>> {
    const message =
      command.type === "user_message" || command.type === "steer" ? command : undefined;
    if (message?.client_message_id !== undefined) {
      const earlier = await this.#inputs.find(message.client_message_id);
      if (earlier) return this.#repeat(message, earlier);
    }
    const whole = command.type === "permission_response" ? await this.#restored(command) : command;
    this.#recorder.flush();
    const messageId = randomUUID();
    const decision = this.#decide(whole, principal, messageId);
    if (!decision.ok) return decision;
    return accepted(this.#keep(decision, message && { command: message, messageId }));
  }

  #decide(command: DecidedCommand, { id, isAdmin }: Principal, messageId: string): Decision {
    return decide(this.#recorder.control, command, {
      by: id,
      isAdmin,
      messageId,
      maxQueue: this.#maxQueue,
      now: this.#clock.now(),
      policy: this.#policy.current(this.#recorder.control.session.cwd ?? "/").policy,
      answerProblem: (answer) => objectionOf(() => this.#runtime.checkAnswer?.(answer)),
      grantsFrom: (request, updates) => this.#runtime.grantsFrom?.(request, updates) ?? [],
    });
  }

  async #restored(answer: CommandOf<"permission_response">): Promise<DecidedCommand> {
    const { control, log } = this.#recorder;
    const request = requestOf(control, answer.correlation_id);
    return request?.type === "permission_request" ? restoreAnswer(answer, request, log) : answer;
  }

  #keep(
    decision: Extract<Decision, { ok: true }>,
    message: { command: MessageCommand; messageId: string } | undefined,
  ): Pending {
    const seq = this.#recorder.control.seq + decision.events.length;
    const inputs: StoredInput[] = [];
    if (message?.command.client_message_id !== undefined) {
      const clientMessageId = message.command.client_message_id;
      inputs.push({ clientMessageId, seq, digest: digestOf(message.command) });
    }
    const { committed } = this.#recorder.record(decision.events, inputs);
    for (const input of inputs) this.#inputs.remember(input, committed);
    const { effects } = decision;
    return { seq, committed, effects, ...(message && { messageId: message.messageId }) };
  }

  async #repeat(message: MessageCommand, earlier: KnownInput): Promise<Result<Pending>> {
    if (earlier.digest !== digestOf(message)) {
      return rejected(
        "idempotency_conflict",
        `The client_message_id ${earlier.clientMessageId} was used for another message.`,
      );
    }
    const { log } = this.#recorder;
    const committed = earlier.committed.then(async () => log.settled);
    try {
      await committed;
    } catch {
      // The caller waits for `committed` too, and answers for the failure.
      return accepted({ seq: earlier.seq, committed, effects: [] });
    }
    // What retention has removed was once stored; anything else must still be there.
    if (earlier.seq < log.oldest) {
      return accepted({ seq: earlier.seq, duplicate: true, committed, effects: [] });
    }
    const [stored] = await log.read(earlier.seq - 1, 1);
    if (stored?.seq !== earlier.seq) {
      return rejected("store_unavailable", "The message could not be found again: try again.");
    }
    const event: SessionEvent = JSON.parse(stored.json);
    return accepted({
      seq: earlier.seq,
      duplicate: true,
      committed,
      effects: [],
      ...(event.type === "user_message" && { messageId: event.data.message_id }),
    });
  }
}
