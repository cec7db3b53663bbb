import { randomUUID } from "node:crypto";
import { objectFrom } from "../dialect/relay.ts";
import { openRelay, type RelayClient, type RelayLine } from "./relay-client.ts";

/**
 * A Claude CLI as a relay meets it (2.1.120): it waits for `initialize` and a first message, asks before
 * it uses a tool where a message begins with "ask", and repeats what it has said when it dials in again.
 */
export class ScriptedCli {
  readonly sessionId: string;
  /** Everything that it wrote, as it wrote it. */
  readonly written: string[] = [];
  /** Everything that it got but `initialize`. */
  readonly received: RelayLine[] = [];
  readonly #cwd: string;
  #socket: RelayClient | undefined;
  #taken = 0;
  #asked: { readonly requestId: string; readonly toolUseId: string } | undefined;
  #onReceived: () => void = () => undefined;

  constructor(cwd: string, sessionId: string = randomUUID()) {
    this.#cwd = cwd;
    this.sessionId = sessionId;
  }

  get socket(): RelayClient {
    if (!this.#socket) throw new Error("the CLI has not dialled in");
    return this.#socket;
  }

  /** Dials in, or dials in again: then it repeats what it has said, its requests excepted. */
  async dial(relayUrl: string): Promise<void> {
    const socket = await openRelay(`${relayUrl}/`);
    this.#socket = socket;
    this.#taken = 0;
    for (const line of this.written) {
      if (!line.startsWith('{"type":"control_')) socket.websocket.send(`${line}\n`);
    }
    const take = (): boolean => {
      for (const line of socket.lines.slice(this.#taken)) this.#take(line);
      this.#taken = socket.lines.length;
      return false;
    };
    void socket.until(take);
  }

  /** Resolves when it got something that fits. */
  async got(fits: (line: RelayLine) => boolean): Promise<RelayLine> {
    for (;;) {
      const found = this.received.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => (this.#onReceived = resolve));
    }
  }

  write(line: RelayLine): void {
    this.writeText(JSON.stringify(line));
  }

  writeText(text: string): void {
    this.written.push(text);
    this.socket.websocket.send(`${text}\n`);
  }

  #take(line: RelayLine): void {
    const { type, request_id, request } = line as {
      type?: string;
      request_id?: string;
      request?: { subtype?: string };
    };
    if (type === "control_request") {
      const response = { commands: [], models: [], output_style: "default" };
      const answer = { subtype: "success", request_id, response };
      this.socket.websocket.send(
        `${JSON.stringify({ type: "control_response", response: answer })}\n`,
      );
      if (request?.subtype === "initialize") return;
    }
    this.received.push(line);
    this.#onReceived();
    if (type === "user") this.#work(line);
    if (type === "control_response") this.#continue(line);
  }

  #work({ message }: RelayLine): void {
    const { content } = message as { content: unknown };
    const isAsking = JSON.stringify(content).includes("ask");
    this.#say({
      type: "system",
      subtype: "init",
      cwd: this.#cwd,
      model: "claude-opus-5-5",
      permissionMode: "default",
      tools: ["Bash"],
      mcp_servers: [],
      slash_commands: [],
    });
    if (!isAsking) {
      this.#end("Done.");
      return;
    }
    const toolUseId = `toolu_${randomUUID()}`;
    const input = { command: "touch a.txt" };
    this.#assistant({ type: "tool_use", id: toolUseId, name: "Bash", input });
    const requestId = randomUUID();
    this.#asked = { requestId, toolUseId };
    this.write({
      type: "control_request",
      request_id: requestId,
      request: {
        subtype: "can_use_tool",
        tool_name: "Bash",
        input,
        tool_use_id: toolUseId,
        permission_suggestions: [],
      },
    });
  }

  #continue({ response }: RelayLine): void {
    const { request_id, response: answer } = response as {
      request_id: string;
      response: { behavior: string };
    };
    if (!this.#asked || request_id !== this.#asked.requestId) return;
    const { toolUseId: tool_use_id } = this.#asked;
    this.#asked = undefined;
    const isAllowed = answer.behavior === "allow";
    const content = isAllowed ? "created" : "denied";
    this.#say({
      type: "user",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id, content, is_error: !isAllowed }],
      },
      parent_tool_use_id: null,
    });
    this.#end(isAllowed ? "Allowed." : "Denied.");
  }

  #end(result: string): void {
    this.#assistant({ type: "text", text: result });
    this.#say({
      type: "result",
      subtype: "success",
      is_error: false,
      duration_ms: 10,
      duration_api_ms: 5,
      num_turns: 1,
      result,
      stop_reason: "end_turn",
      total_cost_usd: 0,
      usage: { input_tokens: 1, output_tokens: 1 },
      modelUsage: {},
      permission_denials: [],
    });
  }

  #assistant(block: object): void {
    this.#say({
      type: "assistant",
      message: {
        id: `msg_${randomUUID()}`,
        type: "message",
        role: "assistant",
        model: "claude-opus-5-5",
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
      parent_tool_use_id: null,
    });
  }

  #say(line: RelayLine): void {
    this.write({ ...line, session_id: this.sessionId, uuid: randomUUID() });
  }
}

/** What of it a CLI wrote, in the order in which it came; those who have it from a log get requests with their session. */
export function linesFrom({ frames }: RelayClient, cli: ScriptedCli): string[] {
  const known = new Map(
    cli.written.flatMap((line) => {
      const named = JSON.stringify({ ...objectFrom(line), session_id: cli.sessionId });
      return [[line, line] as const, [named, line] as const];
    }),
  );
  return frames.flatMap((frame) => known.get(frame.slice(0, -1)) ?? []);
}
