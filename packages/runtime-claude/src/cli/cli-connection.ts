import { type Clock, detach, startTimer } from "@turnwire/base";
import { ContentBlock, type JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { turnMessageId } from "../transcript/input.ts";
import { type AdoptedCli, type CliLink, type FirstPrompt, RuntimeError } from "@turnwire/runtime";
import { controlMessageFrom } from "./control-channel.ts";
import type { DialledCli } from "./dialled-cli.ts";
import { guardHooks } from "./initialize.ts";
import { initFrom, isOfTurn, parsedLine, sessionIdOf } from "./line.ts";

export interface ConnectionPorts {
  readonly clock: Clock;
  /** The CLI of a conversation, which has this connection from now on. */
  readonly enter: (sessionId: string, introduction: JsonObject | undefined) => DialledCli;
  /** Makes the CLI the agent of its session; answers with our id of it. Rejects where that may not be. */
  readonly adopt: (cli: DialledCli, facts: ConversationFacts) => Promise<string>;
  readonly onError: (error: unknown) => void;
}

/** What a new session begins with, each known once the CLI has said it. */
export interface ConversationFacts {
  readonly cwd: Promise<string | undefined>;
  readonly prompt: () => FirstPrompt | undefined;
}

/** A CLI that does not answer `initialize` in this time repeats nothing any more. */
const initializeMs = 10_000;

const UserLine = z
  .object({
    type: z.literal("user"),
    message: z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]) }),
    uuid: z.string().optional(),
  })
  .catchall(z.unknown());

/** One connection that a CLI has opened: finds out which conversations come over it, and passes them on. */
export class CliConnection implements AdoptedCli {
  /** Settles when the connection is over. */
  readonly ended: Promise<void>;
  readonly #link: CliLink;
  readonly #ports: ConnectionPorts;
  readonly #initializeId = randomUUID();
  readonly #listeners = new Set<(sessionId: string) => void>();
  #current:
    | { readonly cli: DialledCli; readonly learn: (cwd?: string) => void; hasBegun: boolean }
    | undefined;
  #introduction: JsonObject | undefined;
  #isReplay = true;
  #sessionId: string | undefined;
  #prompt: FirstPrompt | undefined;

  constructor(link: CliLink, ports: ConnectionPorts) {
    this.#link = link;
    this.#ports = ports;
    this.ended = this.#run();
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  onSession(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async send(line: string): Promise<boolean> {
    if (this.#current?.hasBegun === true) {
      await this.#named();
      return false;
    }
    const prompt = this.#prompt ? undefined : promptFrom(line);
    this.#prompt ??= prompt;
    await this.#link.write(prompt?.line ?? line);
    return true;
  }

  /** Resolves when the CLI works in a session of ours, or never will. */
  async #named(): Promise<void> {
    if (this.#sessionId !== undefined) return;
    const named = new Promise<void>((resolve) => this.#listeners.add(() => resolve()));
    await Promise.race([named, this.ended]);
  }

  async #run(): Promise<void> {
    const { clock, onError } = this.#ports;
    const cancel = startTimer(clock, initializeMs, () => this.#endReplay());
    try {
      const request = { subtype: "initialize", hooks: guardHooks };
      await this.#link.write(
        JSON.stringify({ type: "control_request", request_id: this.#initializeId, request }),
      );
      for await (const line of this.#link.lines) await this.#take(line);
    } catch (error) {
      onError(error);
    }
    cancel();
    this.#current?.cli.detach(this.#link);
    await this.#link.close();
  }

  async #take(line: string): Promise<void> {
    const message = parsedLine(line);
    const control = controlMessageFrom(message);
    if (control?.type === "control_response") {
      const { request_id, subtype, response } = control.response;
      if (request_id === this.#initializeId) {
        if (subtype === "success") this.#introduction = response ?? {};
        return this.#endReplay();
      }
    }
    const id = control ? undefined : sessionIdOf(message, this.#current?.cli.sessionId);
    if (id !== undefined && id !== this.#current?.cli.sessionId) this.#enter(id);
    const init = initFrom(message);
    if (this.#current && (init || isOfTurn(message))) {
      this.#current.hasBegun = true;
      this.#current.learn(init?.cwd);
    }
    await this.#current?.cli.push({ type: "line", line, isReplay: this.#isReplay });
  }

  #enter(id: string): void {
    this.#current?.cli.leave();
    const cli = this.#ports.enter(id, this.#introduction);
    let learn: (cwd?: string) => void = () => undefined;
    const learned = new Promise<string | undefined>((resolve) => (learn = resolve));
    const cwd = Promise.race([learned, this.ended.then(() => Promise.reject(goneTooSoon()))]);
    detach(cwd, () => undefined);
    this.#current = { cli, learn, hasBegun: false };
    const facts = { cwd, prompt: () => this.#prompt };
    const adopted = this.#ports.adopt(cli, facts).then((sessionId) => {
      if (this.#current?.cli !== cli) return;
      this.#sessionId = sessionId;
      for (const listener of this.#listeners) listener(sessionId);
    });
    detach(adopted, (error) => {
      this.#ports.onError(error);
      cli.release();
    });
  }

  #endReplay(): void {
    this.#isReplay = false;
    const ended = this.#current?.cli.push({ type: "replay_ended" });
    if (ended) detach(ended, this.#ports.onError);
  }
}

function goneTooSoon(): RuntimeError {
  return new RuntimeError("exited", "The Claude CLI was gone before it had begun a turn.");
}

/** The line gets an id that the turn can have; undefined where it is not a message of a person. */
function promptFrom(line: string): FirstPrompt | undefined {
  const said = UserLine.safeParse(parsedLine(line)).data;
  if (!said) return undefined;
  const turnId = turnMessageId(said.uuid ?? "");
  const { content } = said.message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  // A CLI exits when it is sent a message without a role (seen with 2.1.120).
  const message = { ...said.message, role: "user" };
  const place = { parent_tool_use_id: null, session_id: "" };
  return {
    line: JSON.stringify({ ...place, ...said, message, uuid: turnId }),
    turnId,
    content: blocks.flatMap((block) => ContentBlock.safeParse(block).data ?? []),
  };
}
