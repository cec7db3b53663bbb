import { once } from "node:events";
import { isObject } from "@turnwire/base";
import { createRotation, rotate, type RelayAgent, type Rotation } from "@turnwire/client/relay";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";

type Line = Readonly<Record<string, unknown>>;

/** An approval card: what it shows, and what its buttons send. */
export interface ApprovalCard {
  readonly requestId: string;
  readonly toolName: string;
  readonly command: string | undefined;
}

/** The content of one tab. */
export interface AgentsUiTab {
  /** `claude:<8>…<4>` */
  readonly label: string;
  readonly sessionId: string | undefined;
  readonly status: RelayAgent["status"];
  /** Text as it streamed in. */
  readonly streamed: string;
  /** Whole messages. */
  readonly messages: readonly string[];
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
  readonly approvals: readonly ApprovalCard[];
  readonly completedTurns: number;
}

type Items = Omit<AgentsUiTab, "label" | "sessionId" | "status">;

const noItems: Items = {
  streamed: "",
  messages: [],
  toolCalls: [],
  toolResults: [],
  approvals: [],
  completedTurns: 0,
};

/**
 * agents-ui as it is on the wire (its commit of 2026-02): a monitor without credentials that never
 * sends a prompt, finds a line's session at any depth, keeps no half lines, ignores what it does not
 * know, and answers in its flat form without a line break, which a real CLI does not survive.
 */
export class AgentsUiFrontEnd {
  /** Everything that it sent, as it was. */
  readonly sent: string[] = [];
  readonly #url: string;
  readonly #items = new Map<string, Items>();
  readonly #looks = new Set<() => void>();
  #rotation: Rotation = createRotation("any");
  #websocket: WebSocket | undefined;

  /** relayUrl: `ws://127.0.0.1:<port>`; the page of agents-ui is on another port of this machine. */
  static async open(relayUrl: string): Promise<AgentsUiFrontEnd> {
    const frontEnd = new AgentsUiFrontEnd(`${relayUrl}/ws`);
    onTestFinished(() => frontEnd.#websocket?.terminate());
    await frontEnd.connect();
    return frontEnd;
  }

  private constructor(url: string) {
    this.#url = url;
  }

  /** Also after a drop, as its next probe does. */
  async connect(): Promise<void> {
    const websocket = new WebSocket(this.#url, { headers: { origin: "http://localhost:3000" } });
    this.#websocket = websocket;
    const connectionId = this.#url;
    websocket.on("message", (data: Buffer) => this.#takeFrame(data.toString()));
    websocket.on("close", () => {
      this.#rotate({ type: "closed", connectionId, willReopen: false });
      this.#look();
    });
    await once(websocket, "open");
    this.#rotate({ type: "opened", connectionId });
  }

  /** Those that can be seen: placeholders are hidden. */
  get tabs(): readonly AgentsUiTab[] {
    return Array.from(this.#rotation.agents.values())
      .filter(({ sessionId, hasContent }) => sessionId !== undefined || hasContent)
      .map(({ agentId, sessionId, status }) => ({
        label: labelOf(sessionId),
        sessionId,
        status,
        ...(this.#items.get(agentId) ?? noItems),
      }));
  }

  /** The newest tab of a session. */
  tab(sessionId: string): AgentsUiTab | undefined {
    return this.tabs.findLast((tab) => tab.sessionId === sessionId);
  }

  /** Presses a button of a card. */
  answer({ requestId }: ApprovalCard, allow: boolean): void {
    this.#send({ type: "control_response", request_id: requestId, permission: { allow } });
  }

  /** Submits the form of a card that asks something. */
  reply({ requestId }: ApprovalCard, input: string | Readonly<Record<string, string>>): void {
    const permission = { allow: true };
    this.#send({ type: "control_response", request_id: requestId, permission, input });
  }

  /** Resolves with what the condition finds, looked at after every frame. */
  until<Found>(find: () => Found | undefined): Promise<Found> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#looks.delete(look);
        resolve(found);
      };
      this.#looks.add(look);
      look();
    });
  }

  #send(line: object): void {
    const text = JSON.stringify(line);
    this.sent.push(text);
    this.#websocket?.send(text);
  }

  #look(): void {
    for (const look of this.#looks) look();
  }

  #rotate(input: Parameters<typeof rotate>[1]): string | undefined {
    const step = rotate(this.#rotation, input);
    this.#rotation = step.rotation;
    return step.agentId;
  }

  #takeFrame(frame: string): void {
    for (const text of frame.split("\n")) {
      const line = parsed(text);
      if (line) this.#takeLine(line);
    }
    this.#look();
  }

  #takeLine(line: Line): void {
    const connectionId = this.#url;
    const { type } = line;
    if (type === "status") {
      const isDisconnected = String(line["text"] ?? line["content"]).includes("disconnected");
      this.#rotate({ type: "line", connectionId, line: { type, isDisconnected } });
      return;
    }
    const sessionId = deepSessionId(line);
    const change = changeFrom(line);
    const isInit = type === "system" && line["subtype"] === "init";
    if (!change && !isInit) return;
    const agentId = this.#rotate({
      type: "line",
      connectionId,
      line: {
        type: "message",
        isInit,
        isContent: change !== undefined,
        isRecovered: false,
        ...(sessionId !== undefined && { sessionId }),
      },
    });
    if (agentId !== undefined && change) {
      this.#items.set(agentId, change(this.#items.get(agentId) ?? noItems));
    }
  }
}

function labelOf(sessionId: string | undefined): string {
  if (sessionId === undefined || sessionId.length <= 12) return `claude:${sessionId ?? ""}`;
  return `claude:${sessionId.slice(0, 8)}…${sessionId.slice(-4)}`;
}

function parsed(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Its own `readDeepSessionId`: the first one from the outside in, whatever it is the session of. */
function deepSessionId(value: unknown, depth = 0): string | undefined {
  if (!isObject(value) || depth > 8) return undefined;
  const own = value["session_id"] ?? value["sessionId"];
  if (typeof own === "string" && own !== "") return own;
  for (const part of Object.values(value)) {
    const found = deepSessionId(part, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Change = (items: Items) => Items;

/** The part of a line that its tab shows; undefined where agents-ui shows nothing of it. */
function changeFrom(line: Line): Change | undefined {
  switch (line["type"]) {
    case "stream_event":
      return streamedChange(line);
    case "assistant":
    case "user":
      return contentChange(line);
    case "control_request":
      return approvalChange(line);
    case "result":
      return (items) => ({ ...items, completedTurns: items.completedTurns + 1 });
    default:
      return undefined;
  }
}

function streamedChange({ event }: Line): Change | undefined {
  const delta = isObject(event) && isObject(event["delta"]) ? event["delta"] : {};
  const { text } = delta;
  if (typeof text !== "string") return undefined;
  return (items) => ({ ...items, streamed: items.streamed + text });
}

function contentChange({ type, message }: Line): Change | undefined {
  const content = isObject(message) ? message["content"] : undefined;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const changes = blocks.flatMap((block) => blockChange(block, type === "assistant") ?? []);
  if (changes.length === 0) return undefined;
  return (items) => changes.reduce((before, change) => change(before), items);
}

function blockChange(block: Line, isAgents: boolean): Change | undefined {
  const { type, text, name, content } = block;
  if (type === "text" && isAgents) {
    return (items) => ({ ...items, messages: [...items.messages, String(text)] });
  }
  if (type === "tool_use") {
    return (items) => ({ ...items, toolCalls: [...items.toolCalls, String(name)] });
  }
  if (type !== "tool_result") return undefined;
  const output = typeof content === "string" ? content : JSON.stringify(content);
  return (items) => ({ ...items, toolResults: [...items.toolResults, output] });
}

function approvalChange({ request_id: requestId, request }: Line): Change | undefined {
  if (!isObject(request) || request["subtype"] !== "can_use_tool") return undefined;
  const { tool_name: toolName, input } = request;
  const command = isObject(input) ? input["command"] : undefined;
  const card: ApprovalCard = {
    requestId: String(requestId),
    toolName: String(toolName),
    command: typeof command === "string" ? command : undefined,
  };
  return (items) => ({ ...items, approvals: [...items.approvals, card] });
}
