import { randomUUID } from "node:crypto";
import type { Clock } from "@turnwire/base";
import {
  accepted,
  type CatalogEntry,
  type EventData,
  type EventDraft,
  type JsonValue,
  rejected,
  requestOf,
  type Result,
  type SessionEvent,
  type SettingCommand,
  type Principal,
} from "@turnwire/protocol";
import type { StoredInput } from "@turnwire/log";
import {
  type Runtime,
  type ComponentWish,
  type UiPort,
  type PolicyDecision,
  type ToolGate,
  strictest,
} from "@turnwire/runtime";
import { isAllowing } from "./decide/answer.ts";
import { askedWish } from "./decide/ask.ts";
import { wishFrom } from "./decide/component.ts";
import { decide, type DecidedCommand, type Decision } from "./decide/decide.ts";
import type { Effect } from "./decide/effect.ts";
import type { CommandSource } from "./port/inbox-command.ts";
import {
  digestOf,
  type IdentifiedCommand,
  inputIdOf,
  type InputLedger,
  type KnownInput,
} from "./record/input-ledger.ts";
import type { Accepted } from "@turnwire/wire";
import type { Recorder } from "./record/recorder.ts";
import { restoreAnswer, restoreToolInput } from "./record/restore.ts";
import type { PolicySource } from "./policy/policy-source.ts";
import type { CallbackSource } from "./ui/callback-source.ts";
import { objectionOf } from "./decide/runtime-objection.ts";

/** A decided command on its way into the store. */
export interface Pending {
  readonly seq: number;
  readonly messageId?: string;
  /** The same message had been accepted before; nothing was done again. */
  readonly duplicate?: boolean;
  readonly committed: Promise<void>;
  readonly effects: readonly Effect[];
}

type AnswerRuntime = Pick<Runtime, "checkAnswer" | "grantsFrom" | "gatedCalls">;

export interface IntakeOptions {
  readonly recorder: Recorder;
  readonly inputs: InputLedger;
  readonly maxQueue: number;
  readonly requestTimeoutMs: number;
  readonly catalog: readonly CatalogEntry[];
  readonly runtime: AnswerRuntime;
  readonly policy: PolicySource;
  readonly gate: ToolGate;
  readonly clock: Clock;
  readonly ui: UiPort;
  readonly callbacks: CallbackSource;
}

/** What a decision came of. */
interface KeptCommand {
  readonly command?: IdentifiedCommand | undefined;
  /** The id of the message that the command became. */
  readonly messageId?: string;
  /** The entry of the inbox that is answered with it. */
  readonly source: CommandSource | undefined;
}

/** A command with its large parts. */
interface WholeCommand {
  readonly command: DecidedCommand;
  /** The component that a callback comes from, where it shows a tool call. */
  readonly toolComponent?: string | undefined;
  /** What an answer is about. */
  readonly asked?: { readonly request: EventData<"permission_request">; readonly input: JsonValue };
}

/** Facts about a command that take a while to find out. */
interface Findings {
  /** The policy's decision on the call that an answer allows. */
  readonly judged?: PolicyDecision | undefined;
  readonly propsProblem?: string | undefined;
}

/** Takes commands into the log, each message once. Callers run it one command at a time. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** Takes all of the commands or, if one of them is refused, none. */
  async takeAll(
    commands: readonly SettingCommand[],
    principal: Principal,
    source?: CommandSource,
  ): Promise<Result<Pending>> {
    for (const command of commands) await this.#prepare(command);
    this.#options.recorder.flush();
    const events: EventDraft[] = [];
    const effects: Effect[] = [];
    for (const command of commands) {
      const decision = this.#decide({ command }, principal, randomUUID());
      if (!decision.ok) return decision;
      events.push(...decision.events);
      effects.push(...decision.effects);
    }
    return accepted(this.#keep({ ok: true, events, effects }, { source }));
  }

  async take(
    command: DecidedCommand,
    principal: Principal,
    source?: CommandSource,
  ): Promise<Result<Pending>> {
    const input = isIdentified(command) ? command : undefined;
    const inputId = input && inputIdOf(input);
    if (input && inputId !== undefined) {
      const earlier = await this.#options.inputs.find(inputId);
      if (earlier) return this.#repeat(input, earlier);
    }
    await this.#prepare(command);
    const whole = await this.#restored(command);
    const findings = await this.#examine(whole);
    this.#options.recorder.flush();
    const messageId = source?.messageId ?? randomUUID();
    const decision = this.#decide({ ...whole, ...findings }, principal, messageId);
    if (!decision.ok) return decision;
    const isMessage = decision.events.some(({ type }) => type === "user_message");
    return accepted(
      this.#keep(decision, { source, command: input, ...(isMessage && { messageId }) }),
    );
  }

  #decide(
    { command, toolComponent, judged, propsProblem }: WholeCommand & Findings,
    { id, isAdmin }: Principal,
    messageId: string,
  ): Decision {
    return decide(this.#options.recorder.control, command, {
      by: id,
      isAdmin,
      messageId,
      maxQueue: this.#options.maxQueue,
      requestTimeoutMs: this.#options.requestTimeoutMs,
      offeredCatalog: this.#options.catalog,
      now: this.#options.clock.now(),
      ui: this.#options.ui,
      policy: this.#options.policy.current(this.#options.recorder.control.session.cwd ?? "/")
        .policy,
      componentName: (componentId) => this.#options.callbacks.nameOf(componentId) ?? toolComponent,
      answerProblem: (answer) => objectionOf(() => this.#options.runtime.checkAnswer?.(answer)),
      judged,
      propsProblem,
      grantsFrom: (request, updates) => this.#options.runtime.grantsFrom?.(request, updates) ?? [],
    });
  }

  async #examine({ command, asked }: WholeCommand): Promise<Findings> {
    const wish = this.#wishOf(command);
    if (wish) return { propsProblem: await this.#options.ui.check(wish) };
    if (!asked || !isAllowing(command)) return {};
    return { judged: await this.#judge(asked.request, command.updated_input ?? asked.input) };
  }

  #wishOf(command: DecidedCommand): ComponentWish | undefined {
    const { ui, recorder } = this.#options;
    if (command.type === "ask") return askedWish(recorder.control, command);
    if (command.type !== "show_component") return undefined;
    const wish = wishFrom(recorder.control, command, ui);
    return wish.ok ? wish.value : undefined;
  }

  /** What an answer allows, the strictest of it; undefined where no policy decides. */
  async #judge(
    request: EventData<"permission_request">,
    input: JsonValue,
  ): Promise<PolicyDecision | undefined> {
    const { tool_name: tool, tool_use_id: toolUseId } = request;
    const own = { tool, input, ...(toolUseId !== undefined && { toolUseId }) };
    const calls = this.#options.runtime.gatedCalls?.(request, input) ?? [own];
    return strictest(await Promise.all(calls.map((call) => this.#options.gate.judge(call))));
  }

  /** A choice among the modes needs all files read that define them. */
  async #prepare({ type }: DecidedCommand): Promise<void> {
    const { cwd } = this.#options.recorder.control.session;
    if (type === "set_policy_mode" && cwd !== undefined) await this.#options.policy.prepare?.(cwd);
  }

  async #restored(command: DecidedCommand): Promise<WholeCommand> {
    if (command.type === "component_callback") {
      return {
        command,
        toolComponent: await this.#options.callbacks.findTool(command.component_id),
      };
    }
    if (command.type !== "permission_response") return { command };
    const { control, log } = this.#options.recorder;
    const request = requestOf(control, command.correlation_id);
    if (request?.type !== "permission_request") return { command };
    return {
      command: await restoreAnswer(command, request, log),
      asked: { request: request.data, input: await restoreToolInput(request, log) },
    };
  }

  #keep(
    decision: Extract<Decision, { ok: true }>,
    { command, messageId, source }: KeptCommand,
  ): Pending {
    const seq = this.#options.recorder.control.seq + decision.events.length;
    const inputs: StoredInput[] = [];
    const clientMessageId = command && inputIdOf(command);
    if (command && clientMessageId !== undefined) {
      inputs.push({ clientMessageId, seq, digest: digestOf(command) });
    }
    const taken = { seq, ...(messageId !== undefined && { messageId }) };
    const answer = source && {
      entryId: source.entryId,
      result: JSON.stringify(accepted<Accepted>(taken)),
    };
    const { committed } = this.#options.recorder.record(decision.events, {
      inputs,
      ...(answer && { answers: [answer] }),
    });
    for (const input of inputs) this.#options.inputs.remember(input, committed);
    return { ...taken, committed, effects: decision.effects };
  }

  async #repeat(command: IdentifiedCommand, earlier: KnownInput): Promise<Result<Pending>> {
    if (earlier.digest !== digestOf(command)) return usedForAnother(command, earlier);
    const { log } = this.#options.recorder;
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
      return rejected("store_unavailable", "The stored message could not be read. Try again.");
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

function isIdentified(command: DecidedCommand): command is IdentifiedCommand {
  return (
    command.type === "user_message" ||
    command.type === "steer" ||
    command.type === "state_patch" ||
    command.type === "component_callback"
  );
}

function usedForAnother(
  { type }: IdentifiedCommand,
  { clientMessageId }: KnownInput,
): ReturnType<typeof rejected> {
  switch (type) {
    case "state_patch":
      return conflict(`The client_patch_id ${clientMessageId} was used for something else.`);
    case "component_callback":
      return conflict(`The client_callback_id ${clientMessageId} was used for something else.`);
    case "user_message":
    case "steer":
      return conflict(`The client_message_id ${clientMessageId} was used for another message.`);
  }
}

function conflict(message: string): ReturnType<typeof rejected> {
  return rejected("idempotency_conflict", message);
}
