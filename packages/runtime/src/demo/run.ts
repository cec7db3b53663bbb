import {
  type CommandOf,
  type JsonObject,
  type JsonValue,
  textFromContent,
} from "@turnwire/protocol";
import { type Clock, isObject } from "@turnwire/base";
import type { RequestAnswer, Run, RunOptions, TurnInput } from "../runtime.ts";
import { RuntimeError } from "../process/runtime-error.ts";
import type { ToolGate } from "../tool-gate.ts";
import { ToolRefused } from "./stage/tool-permit.ts";
import { answerCallback } from "./callback.ts";
import { playReview } from "./review.ts";
import { findScenario } from "./scenario/catalog.ts";
import { compaction } from "./stage/compaction.ts";
import { DemoFeed } from "./feed.ts";
import { introduce } from "./introduction.ts";
import { type Memory, newId } from "./stage/memory.ts";
import type { DemoMessage, NewerMessage } from "./stage/message.ts";
import { type DemoPace, TimedPace } from "./stage/pace.ts";
import { toolsFrom } from "./stage/permission.ts";
import type { Script } from "./stage/script.ts";
import { madeUpContext } from "./stage/context.ts";
import { DemoStage } from "./stage/stage.ts";
import { DemoTurn, TurnStopped } from "./stage/turn.ts";

export interface DemoRunOptions {
  readonly run: RunOptions;
  readonly clock: Clock;
  readonly delayMs: number;
  /** Takes the place of all delays. */
  readonly pace: DemoPace | undefined;
  readonly model: string;
}

/** A demo agent attached to a session: plays one script per turn, tasks beside it. */
export class DemoRun implements Run {
  readonly messages: AsyncIterable<unknown>;
  readonly #feed = new DemoFeed<DemoMessage | NewerMessage>();
  readonly #clock: Clock;
  readonly #pace: DemoPace;
  readonly #memory: Memory;
  readonly #defaultModel: string;
  readonly #gate: ToolGate | undefined;
  #turn: DemoTurn | undefined;

  constructor({ run, clock, delayMs, pace, model }: DemoRunOptions) {
    this.messages = this.#feed;
    this.#clock = clock;
    this.#pace = pace ?? new TimedPace(clock, delayFrom(run.params) ?? delayMs);
    this.#defaultModel = model;
    this.#gate = run.gate;
    this.#memory = {
      turns: 0,
      isResumed: run.resume !== undefined,
      model: run.model ?? model,
      effort: run.effort ?? null,
      permissionMode: run.permissionMode ?? "default",
      allowedTools: toolsFrom(run.grants ?? []),
      tasks: new Map(),
      components: new Map(),
    };
    this.#feed.push({ type: "hello", session: run.resume ?? newId("demo") });
  }

  async send(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    if (this.#turn) {
      throw new RuntimeError("protocol", `Turn ${this.#turn.input.turnId} is still running.`);
    }
    this.#turn = new DemoTurn({
      input,
      memory: this.#memory,
      clock: this.#clock,
      pace: this.#pace,
      gate: this.#gate,
      playInBackground: (script) => this.#feed.add(script),
    });
    this.#feed.add(this.#play(this.#turn));
  }

  async interrupt(): Promise<void> {
    this.#turn?.stop();
  }

  async answer(answer: RequestAnswer): Promise<void> {
    this.#turn?.answer(answer);
  }

  async steer(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    if (!this.#turn)
      throw new RuntimeError("protocol", "No turn is running that could be steered.");
    this.#turn.steer(textFromContent(input.content));
  }

  async setModel(model: string | null): Promise<void> {
    this.#memory.model = model ?? this.#defaultModel;
  }

  async setEffort(effort: string | null): Promise<void> {
    this.#memory.effort = effort;
  }

  async setPermissionMode(mode: string): Promise<void> {
    this.#memory.permissionMode = mode;
  }

  async setGrants(grants: readonly JsonObject[]): Promise<void> {
    this.#memory.allowedTools = toolsFrom(grants);
  }

  async stopTask(taskId: string): Promise<void> {
    this.#memory.tasks.get(taskId)?.abort();
  }

  async compact(instructions?: string): Promise<void> {
    this.#feed.push(compaction(this.#memory, instructions));
  }

  async readContext(): Promise<void> {
    this.#feed.push(madeUpContext);
  }

  async reconnectMcpServer(server: string): Promise<void> {
    for (const status of ["pending", "connected"]) this.#feed.push({ type: "mcp", server, status });
  }

  /** Forgets turns; the demo changes no files, so there are none to restore. */
  async rollback({ turnIndex }: { turnIndex: number }): Promise<{ filesRestored?: string[] }> {
    this.#memory.turns = turnIndex;
    return {};
  }

  async componentCallback(callback: CommandOf<"component_callback">): Promise<void> {
    const { component_id: id, action, payload } = callback;
    const component = this.#memory.components.get(id);
    if (!component) return;
    component.clicks += 1;
    const { name, surface, clicks } = component;
    const props = { last_action: action, last_payload: payload, clicks };
    this.#feed.push({ type: "component", id, name, surface, props, merge: true });
  }

  async sharedState(state: JsonValue): Promise<void> {
    const open = openTodos(state);
    if (open === undefined) return;
    this.#feed.push({
      type: "state_change",
      patches: [{ op: "add", path: "/open", value: open }],
    });
  }

  async close(): Promise<void> {
    this.#turn?.stop();
    for (const task of this.#memory.tasks.values()) task.abort();
    this.#feed.close();
  }

  async *#play(turn: DemoTurn): Script {
    const stage = new DemoStage(turn);
    try {
      for await (const message of this.#pace.play(scriptFor(stage), turn.signal)) {
        yield message;
        turn.throwIfStopped();
      }
      turn.throwIfStopped();
      yield* stage.acknowledgeSteers();
    } catch (error) {
      if (error instanceof ToolRefused) yield stage.utter(`I did not do it: ${error.reason}`);
      else if (!(error instanceof TurnStopped)) throw error;
    }
    yield* stage.endMessage();
    // Free for the next turn before the reader learns of the end: it may send at once.
    this.#turn = undefined;
    this.#memory.turns += 1;
    yield turn.ending();
  }

  #throwIfGone(): void {
    if (this.#feed.isClosed) throw new RuntimeError("exited", "The demo agent is gone.");
  }
}

function scriptFor(stage: DemoStage): Script {
  const { callback, review } = stage.turn.input;
  if (callback) return answerCallback(stage, callback);
  if (review) return playReview(stage, review);
  const play = findScenario(stage.text)?.play ?? introduce;
  return play(stage);
}

/** A session may set its own tempo with the parameter `delay_ms`. */
function delayFrom(params: JsonObject | undefined): number | undefined {
  const delay = params?.delay_ms;
  return typeof delay === "number" && delay >= 0 ? Math.min(delay, 10_000) : undefined;
}

/** How many to-dos of a shared list are not done; undefined when the state holds no such list. */
function openTodos(state: JsonValue): number | undefined {
  if (!isObject(state) || !Array.isArray(state.todos)) return undefined;
  return state.todos.filter((todo) => isObject(todo) && todo.done !== true).length;
}
