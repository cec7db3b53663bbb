import { type JsonObject, type JsonValue, textFromContent } from "@turnwire/protocol";
import { type Answer, RuntimeError } from "../runtime.ts";
import type { Ask, DemoMessage, DemoMessageOf } from "./message.ts";
import { type DemoTurn, newId, TurnStopped } from "./turn.ts";

/** A piece of a scenario: native messages, and in the end a value for the rest of the script. */
export type Script<Result = void> = AsyncGenerator<DemoMessage, Result, void>;

/** One use of a tool, with what it will print and answer. */
export interface ToolUse {
  readonly tool: string;
  readonly input: JsonObject;
  /** Streamed while the tool runs. */
  readonly prints?: readonly string[];
  /** The result; without it, all that was printed. */
  readonly output?: JsonValue;
  readonly failed?: boolean;
  readonly exitCode?: number;
}

type AnswerOf<Type extends Answer["type"]> = Extract<Answer, { type: Type }>;
type AskOf<Type extends Ask["type"]> = Omit<Extract<Ask, { type: Type }>, "type">;

/** What a scenario script can do: speak, use tools, ask. Each method is a script itself. */
export class Stage {
  readonly turn: DemoTurn;
  readonly #agent: string | undefined;
  #message: string | undefined;

  constructor(turn: DemoTurn, agent?: string) {
    this.turn = turn;
    this.#agent = agent;
  }

  /** The text of the message that started the turn. */
  get text(): string {
    return textFromContent(this.turn.input.content).trim();
  }

  /** What follows the scenario's name. */
  get argument(): string {
    return this.text.replace(/^\S+\s*/, "");
  }

  /** A number after the scenario's name, kept within its bounds. */
  amount(bounds: { usual: number; most: number }): number {
    const given = Number.parseInt(this.argument, 10);
    return Number.isNaN(given) ? bounds.usual : Math.min(Math.max(given, 1), bounds.most);
  }

  /** Streams text word by word; between paragraphs it takes up what a person threw in. */
  async *say(text: string): Script {
    for (const paragraph of text.split(/(?<=\n\n)/)) {
      yield* this.acknowledgeSteers();
      for (const word of wordsOf(paragraph)) yield await this.#utter(word);
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

  /** Answers what a person said while the turn was running. */
  async *acknowledgeSteers(): Script {
    for (let said = this.turn.takeSteer(); said !== undefined; said = this.turn.takeSteer()) {
      for (const word of wordsOf(`\n\n> You said: “${said}”. Noted.\n\n`)) {
        yield await this.#utter(word);
      }
    }
  }

  /** Ends the message that is being written; the next word opens another. */
  async *endMessage(): Script {
    if (this.#message === undefined) return;
    yield { type: "message_end", message: this.#message, ...this.#by };
    this.#message = undefined;
  }

  /** Announces a tool use and answers with its id. */
  async *beginTool(use: Pick<ToolUse, "tool" | "input"> & { spawns?: string }): Script<string> {
    await this.turn.pause();
    const tool_use = newId("tool");
    yield { type: "tool_begin", message: this.#openMessage(), tool_use, ...use, ...this.#by };
    yield* this.endMessage();
    return tool_use;
  }

  /** Prints the tool's output and gives its result. */
  async *finishTool(tool_use: string, use: Omit<ToolUse, "tool" | "input">): Script {
    const startedAt = this.turn.clock.now();
    const prints = use.prints ?? [];
    for (const text of prints) {
      await this.turn.pause(4);
      yield { type: "tool_print", tool_use, text, ...this.#by };
    }
    await this.turn.pause(4);
    yield {
      type: "tool_end",
      tool_use,
      output: use.output ?? prints.join(""),
      failed: use.failed ?? false,
      ...(use.exitCode !== undefined && { exit_code: use.exitCode }),
      ms: this.turn.clock.now() - startedAt,
      ...this.#by,
    };
  }

  /** Uses a tool from beginning to end. */
  async *useTool(use: ToolUse): Script {
    const { tool, input, ...rest } = use;
    const id = yield* this.beginTool({ tool, input });
    yield* this.finishTool(id, rest);
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

  /** Sends a message as it is, after the usual pause. */
  async *send(message: DemoMessage, ticks = 1): Script {
    await this.turn.pause(ticks);
    yield message;
  }

  /** The same stage, for a sub-agent that the given tool use started. */
  forSubagent(toolUse: string): Stage {
    return new Stage(this.turn, toolUse);
  }

  async *#ask<Type extends Answer["type"]>(type: Type, ask: Ask): Script<AnswerOf<Type>> {
    await this.turn.pause();
    const id = newId("ask");
    const answered = this.turn.expectAnswer(id);
    yield { type: "ask", id, ask, ...this.#by };
    const answer = await answered;
    if (!answer) throw new TurnStopped();
    if (!isAnswerOf(answer, type)) {
      throw new RuntimeError("protocol", `Request ${id} wants a ${type}, but got ${answer.type}.`);
    }
    return answer;
  }

  async #utter(word: string): Promise<DemoMessageOf<"text">> {
    await this.turn.pause();
    this.turn.words += 1;
    return { type: "text", message: this.#openMessage(), text: word, ...this.#by };
  }

  #openMessage(): string {
    return (this.#message ??= newId("message"));
  }

  get #by(): { agent?: string } {
    return this.#agent === undefined ? {} : { agent: this.#agent };
  }
}

function isAnswerOf<Type extends Answer["type"]>(
  answer: Answer,
  type: Type,
): answer is AnswerOf<Type> {
  return answer.type === type;
}

/** Words with the blanks that follow them, so that joined they give the text back. */
function wordsOf(text: string): string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}
