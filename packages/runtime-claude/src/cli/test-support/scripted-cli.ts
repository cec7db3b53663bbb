import type { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { MessageQueue } from "@turnwire/runtime/process";
import type { CliLink } from "@turnwire/runtime";

interface ControlLine extends JsonObject {
  request_id: string;
}

/**
 * Plays a CLI that dials in, as 2.1.120 does: silent until it is spoken to, and on every later connection it
 * first repeats all its messages that have ids.
 */
export class ScriptedCli {
  readonly sessionId: string = randomUUID();
  readonly cwd: string;
  readonly spoken: string[] = [];
  #connection: ScriptedLink | undefined;
  #isInitialized = false;

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /** Opens a connection; the one before stays as it is. */
  dial(): ScriptedLink {
    const link = new ScriptedLink((line) => this.#onLine(link, JSON.parse(line)));
    this.#connection = link;
    for (const line of this.spoken) link.arrive(line);
    return link;
  }

  /** Says something in the conversation; answers with the line. */
  say(message: JsonObject): string {
    const line = JSON.stringify({ ...message, uuid: randomUUID(), session_id: this.sessionId });
    this.spoken.push(line);
    this.#connection?.arrive(line);
    return line;
  }

  init(): string {
    return this.say({ type: "system", subtype: "init", cwd: this.cwd, model: "claude-sonnet-4-6" });
  }

  text(text: string): string {
    const message = {
      id: `msg_${randomUUID()}`,
      role: "assistant",
      content: [{ type: "text", text }],
    };
    return this.say({ type: "assistant", message, parent_tool_use_id: null });
  }

  result(): string {
    return this.say({ type: "result", subtype: "success", is_error: false, result: "done" });
  }

  /** Asks whether it may use a tool: without an id of its own, so never repeated. */
  ask(toolUseId: string, requestId: string = randomUUID()): string {
    const input = { command: "touch a" };
    const request = { subtype: "can_use_tool", tool_name: "Bash", input, tool_use_id: toolUseId };
    const line = JSON.stringify({ type: "control_request", request_id: requestId, request });
    this.#connection?.arrive(line);
    return line;
  }

  #onLine(link: ScriptedLink, message: JsonObject): void {
    const { type, request_id: id } = message as ControlLine;
    const subtype = (message["request"] as JsonObject | undefined)?.["subtype"];
    if (type !== "control_request" || subtype !== "initialize") return;
    const response = this.#isInitialized
      ? { subtype: "error", error: "Already initialized", request_id: id }
      : { subtype: "success", request_id: id, response: { commands: [], models: [] } };
    this.#isInitialized = true;
    link.arrive(JSON.stringify({ type: "control_response", response }));
  }
}

/** A connection whose lines a test writes, and whose written lines it reads. */
export class ScriptedLink implements CliLink {
  readonly description = "a scripted CLI";
  readonly lines = new MessageQueue<string>();
  readonly written: JsonObject[] = [];
  readonly #onLine: (line: string) => void;
  #onWritten: (() => void)[] = [];
  closeCode: number | undefined;
  isClosed = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  arrive(line: string): void {
    this.lines.push(line);
  }

  write(line: string): Promise<void> {
    if (this.isClosed) return Promise.reject(new Error("the connection is closed"));
    this.written.push(JSON.parse(line));
    this.#onLine(line);
    for (const wake of this.#onWritten.splice(0)) wake();
    return Promise.resolve();
  }

  /** The other side is gone. */
  drop(): void {
    this.isClosed = true;
    this.lines.end();
  }

  close(code?: number): Promise<void> {
    if (!this.isClosed) this.closeCode = code;
    this.drop();
    return Promise.resolve();
  }

  /** The first line that fits, written already or later. */
  async writtenWhere(fits: (line: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.written.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.#onWritten.push(resolve));
    }
  }
}
