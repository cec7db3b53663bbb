import { onTestFinished } from "vitest";
import { WebSocket, type ClientOptions } from "ws";
import { relay, type RelayOptions } from "../wire.ts";
import {
  type RunningServer,
  startServer,
  type StartOptions,
  testToken,
} from "../../../server/src/4-transport/test-support/running-server.ts";

export type RelayLine = Record<string, unknown>;

/** One end of a relay: a front end or a CLI that knows nothing of ours, a plain `ws`. */
export interface RelayClient {
  readonly websocket: WebSocket;
  /** Everything that was received, as it was. */
  readonly frames: readonly string[];
  /** The same as JSON; what is none is left out. */
  readonly lines: readonly RelayLine[];
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Sends a line as a front end does: without a line break. */
  send(line: unknown): void;
  /** The first line from a place on that fits. */
  line(fits: (line: RelayLine) => boolean, from?: number): Promise<RelayLine>;
  /** Resolves when a condition holds, looked at after every frame. */
  until(condition: () => boolean): Promise<void>;
}

export interface RunningRelay extends RunningServer {
  readonly relayUrl: string;
  /** A front end with the token. */
  readonly frontEnd: (query?: string, options?: ClientOptions) => Promise<RelayClient>;
  /** A CLI with the token. */
  readonly cli: () => Promise<RelayClient>;
}

/** A server with a relay on a free port. */
export async function startRelay(
  options: StartOptions & { readonly relay?: RelayOptions } = {},
): Promise<RunningRelay> {
  const { relay: relayOptions, ...serverOptions } = options;
  const wire = relay({ port: 0, ...relayOptions });
  const running = await startServer({ ...serverOptions, wires: [wire] });
  const relayUrl = wire.url;
  if (relayUrl === undefined) throw new Error("the relay has no port");
  return {
    ...running,
    relayUrl,
    frontEnd: (query = "", clientOptions = {}) =>
      openRelay(`${relayUrl}/ws${query}`, clientOptions),
    cli: () => openRelay(`${relayUrl}/`),
  };
}

export function ofType(type: string, fields: RelayLine = {}): (line: RelayLine) => boolean {
  return (line) =>
    line["type"] === type && Object.entries(fields).every(([name, value]) => line[name] === value);
}

/** A prompt as a front end sends it. */
export function prompt(content: string, sessionId = ""): RelayLine {
  const message = { role: "user", content };
  return { type: "user", message, parent_tool_use_id: null, session_id: sessionId };
}

export async function openRelay(url: string, options: ClientOptions = {}): Promise<RelayClient> {
  const headers = { authorization: `Bearer ${testToken}`, ...options.headers };
  const websocket = new WebSocket(url, { maxPayload: 0, ...options, headers });
  const frames: string[] = [];
  const lines: RelayLine[] = [];
  const looks = new Set<() => void>();
  websocket.on("message", (data: Buffer) => {
    const frame = data.toString();
    frames.push(frame);
    const line = objectFrom(frame);
    if (line) lines.push(line);
    for (const look of looks) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    websocket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  onTestFinished(() => websocket.terminate());
  await new Promise<void>((resolve, reject) => {
    websocket.on("open", resolve);
    websocket.on("error", reject);
  });
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  return {
    websocket,
    frames,
    lines,
    closed,
    until,
    send: (line) => websocket.send(JSON.stringify(line)),
    async line(fits, from = 0) {
      await until(() => lines.slice(from).some(fits));
      return lines.slice(from).find(fits) ?? {};
    },
  };
}

function objectFrom(text: string): RelayLine | undefined {
  try {
    return JSON.parse(text) as RelayLine;
  } catch {
    return undefined;
  }
}
