import { type JsonObject, type JsonValue, textFromContent } from "@turnwire/protocol";
import type { RequestAnswer } from "../../runtime.ts";
import { RuntimeError } from "../../process/runtime-error.ts";
import type { PolicyDecision } from "../../tool-gate.ts";
import { type ToolPermit, requestPermit, ToolRefused } from "./tool-permit.ts";
import { newId } from "./memory.ts";
import type { Ask, DemoMessage, DemoMessageOf, NewerMessage } from "./message.ts";
import type { Script } from "./script.ts";
import { type DemoTurn, TurnStopped } from "./turn.ts";

/** The beginning of a tool use. */
export interface ToolCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** The input streams in piece by piece first. */
  readonly isTyped?: boolean;
  /** The name of the sub-agent that this starts. */
  readonly spawns?: string;
}

/** What a tool prints and answers. */
export interface ToolOutcome {
  /** Streamed while the tool runs. */
  readonly prints?: readonly string[];
  /** The result; without it, all that was printed. */
  readonly output?: JsonValue;
  readonly failed?: boolean;
  readonly exitCode?: number;
}

type AnswerOf<Type extends RequestAnswer["type"]> = Extract<RequestAnswer, { type: Type }>;
type AskOf<Type extends Ask["type"]> = Omit<Extract<Ask, { type: Type }>, "type">;

/** What a scenario can do: speak, use tools, ask. Most methods are scripts themselves. */
export class DemoStage {
  readonly turn: DemoTurn;
  readonly #agent: string | undefined;
  #message: string | undefined;

  constructor(turn: DemoTurn, agent?: string) {
    this.turn = turn;
    this.#agent = agent;
  }

  /** The text that started the turn. */
  get text(): string {
    return textFromContent(this.turn.input.content).trim();
  }

  /** The first number in the text, kept within its bounds. */
  amount(bounds: { usual: number; most: number }): number {
    const given = Number.parseInt(/\d+/.exec(this.text)?.[0] ?? "", 10);
    return Number.isNaN(given) ? bounds.usual : Math.min(Math.max(given, 1), bounds.most);
  }

  /** Streams text word by word; between paragraphs it takes up what a person threw in. */
  async *say(text: string): Script {
    for (const paragraph of text.split(/(?<=\n\n)/)) {
      yield* this.acknowledgeSteers();
      for (const word of wordsOf(paragraph)) {
        await this.turn.pause();
        yield this.utter(word);
      }
    }
  }

  async *think(text: string): Script {
    const words = wordsOf(text);
    for (const [index, word] of words.entries()) {
      await this.turn.pause();
      const is_last = index === words.length - 1;
      yield { type: "thought", message: this.#openMessage(), text: word, is_last, ...this.#by };
    }
  }

  /** One piece of text at once, whatever the pace. */
  utter(text: string): DemoMessageOf<"text"> {
    this.turn.words += 1;
    return { type: "text", message: this.#openMessage(), text, ...this.#by };
  }

  /** Answers what a person said while the turn was running. */
  async *acknowledgeSteers(): Script {
    for (let said = this.turn.takeSteer(); said !== undefined; said = this.turn.takeSteer()) {
      yield this.utter(`\n\n> You said: “${said}”. Noted.\n\n`);
    }
  }

  /** Ends the message that is being written; the next word opens another. */
  async *endMessage(): Script {
    if (this.#message === undefined) return;
    const { model } = this.turn.memory;
    yield { type: "message_end", message: this.#message, model, ...this.#by };
    this.#message = undefined;
  }

  /** Announces a tool use and gives back its id. */
  async *beginTool({ isTyped, ...call }: ToolCall): Script<string> {
    const tool_use = newId("tool");
    for (const json of isTyped ? piecesOf(JSON.stringify(call.input)) : []) {
      await this.turn.pause();
      const message = this.#openMessage();
      yield { type: "tool_typing", message, tool_use, tool: call.tool, json, ...this.#by };
    }
    await this.turn.pause();
    yield { type: "tool_begin", message: this.#openMessage(), tool_use, ...call, ...this.#by };
    yield* this.endMessage();
    return tool_use;
  }

  /** Prints the tool's output and gives its result. */
  async *endTool(tool_use: string, outcome: ToolOutcome): Script {
    const { clock } = this.turn;
    const startedAt = clock.now();
    const prints = outcome.prints ?? [];
    for (const text of prints) {
      await this.turn.pause(6);
      yield { type: "tool_print", tool_use, text, ...this.#by };
    }
    await this.turn.pause(6);
    yield {
      type: "tool_end",
      tool_use,
      output: outcome.output ?? prints.join(""),
      failed: outcome.failed ?? false,
      ...(outcome.exitCode !== undefined && { exit_code: outcome.exitCode }),
      ms: clock.now() - startedAt,
      ...this.#by,
    };
  }

  /** Uses a tool from beginning to end; the turn ends where that is refused. */
  async *useTool(call: ToolCall, outcome: ToolOutcome): Script {
    yield* this.endTool(yield* this.beginPermitted(call), outcome);
  }

  /** Announces a tool use that may run, and gives back its id; the turn ends where it is refused. */
  async *beginPermitted(call: ToolCall): Script<string> {
    const toolUse = yield* this.beginTool(call);
    const permit = yield* requestPermit(this, { toolUse, ...call });
    if (permit.isAllowed) return toolUse;
    yield* this.endTool(toolUse, refused(permit.reason));
    throw new ToolRefused(permit.reason);
  }

  /** Uses a tool from beginning to end, and continues where it is refused. */
  async *tryTool(call: ToolCall, outcome: ToolOutcome): Script<ToolPermit> {
    const toolUse = yield* this.beginTool(call);
    const permit = yield* requestPermit(this, { toolUse, ...call });
    yield* this.endTool(toolUse, permit.isAllowed ? outcome : refused(permit.reason));
    return permit;
  }

  /** Reports what the policy decided. */
  policy(decision: PolicyDecision): DemoMessageOf<"policy"> {
    return { type: "policy", decision, ...this.#by };
  }

  askPermission(ask: AskOf<"permission">): Script<AnswerOf<"permission_response">> {
    return this.#ask("permission_response", { type: "permission", ...ask });
  }

  askQuestions(ask: AskOf<"question">): Script<AnswerOf<"question_response">> {
    return this.#ask("question_response", { type: "question", ...ask });
  }

  askHook(ask: AskOf<"hook">): Script<AnswerOf<"hook_response">> {
    return this.#ask("hook_response", { type: "hook", ...ask });
  }

  /** Renders a component and waits until a person is done with it. */
  askWithComponent(ask: AskOf<"component">): Script<AnswerOf<"interrupt_response">> {
    return this.#ask("interrupt_response", { type: "component", ...ask });
  }

  callFrontendTool(ask: AskOf<"frontend_tool">): Script<AnswerOf<"tool_call_response">> {
    return this.#ask("tool_call_response", { type: "frontend_tool", ...ask });
  }

  /** Sends a message as it is, after some time. */
  async *send(message: DemoMessage | NewerMessage, ticks = 1): Script {
    await this.turn.pause(ticks);
    yield message;
  }

  /** Puts a component on a surface; the same id again changes it. */
  async *show(component: Omit<DemoMessageOf<"component">, "type">, ticks = 6): Script {
    const { id, name, surface } = component;
    this.turn.memory.components.set(id, { name, surface, clicks: 0 });
    yield* this.send({ type: "component", ...component }, ticks);
  }

  async *remove(componentId: string): Script {
    this.turn.memory.components.delete(componentId);
    yield* this.send({ type: "component_gone", id: componentId });
  }

  /** The same stage for the sub-agent that a tool use started. */
  forSubagent(toolUse: string): DemoStage {
    return new DemoStage(this.turn, toolUse);
  }

  async *#ask<Type extends RequestAnswer["type"]>(type: Type, ask: Ask): Script<AnswerOf<Type>> {
    await this.turn.pause();
    const toolUse = ask.type === "permission" ? ask.tool_use : undefined;
    const id = toolUse ?? newId("ask");
    const answered = this.turn.expectAnswer(id);
    yield { type: "ask", id, ask, ...this.#by };
    const answer = await answered;
    if (!answer) throw new TurnStopped();
    if (!isAnswerOf(answer, type)) {
      throw new RuntimeError("protocol", `Request ${id} wants a ${type}, but got ${answer.type}.`);
    }
    return answer;
  }

  #openMessage(): string {
    return (this.#message ??= newId("message"));
  }

  get #by(): { agent?: string } {
    return this.#agent === undefined ? {} : { agent: this.#agent };
  }
}

/** The end of a tool that did not run. */
export function refused(reason: string): ToolOutcome {
  return { output: reason, failed: true };
}

function isAnswerOf<Type extends RequestAnswer["type"]>(
  answer: RequestAnswer,
  type: Type,
): answer is AnswerOf<Type> {
  return answer.type === type;
}

/** Words with the blanks that follow them: joined they give the text back. */
function wordsOf(text: string): string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}

function piecesOf(text: string): string[] {
  return text.match(/.{1,12}/gs) ?? [];
}
