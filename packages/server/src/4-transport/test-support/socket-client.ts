import { onTestFinished } from "vitest";
import { WebSocket, type ClientOptions } from "ws";
import { tokenUnlessCookie } from "./running-server.ts";

export interface SocketClient {
  readonly websocket: WebSocket;
  readonly messages: readonly Record<string, unknown>[];
  readonly closed: Promise<{ code: number; reason: string }>;
  send(frame: unknown): void;
  /** Resolves when a condition holds, looked at after every message. */
  until(condition: () => boolean): Promise<void>;
}

/** Opens a WebSocket with the token, or with a given cookie; rejects when the server refuses the upgrade. */
export async function openSocket(
  url: string,
  options: ClientOptions & { protocols?: string[] } = {},
): Promise<SocketClient> {
  const { protocols = [], ...rest } = options;
  const headers = { ...tokenUnlessCookie(rest.headers ?? {}), ...rest.headers };
  const websocket = new WebSocket(url.replace("http:", "ws:"), protocols, { ...rest, headers });
  const messages: Record<string, unknown>[] = [];
  let look: () => void = () => undefined;
  websocket.on("message", (data: Buffer) => {
    messages.push(JSON.parse(data.toString()));
    look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    websocket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  onTestFinished(() => websocket.terminate());
  await new Promise<void>((resolve, reject) => {
    websocket.on("open", resolve);
    websocket.on("error", reject);
  });
  return {
    websocket,
    messages,
    closed,
    send: (frame) => websocket.send(JSON.stringify(frame)),
    until: (condition) =>
      new Promise((resolve) => {
        look = () => {
          if (condition()) resolve();
        };
        look();
      }),
  };
}

/** The status with which an upgrade is refused. */
export function refusedUpgrade(
  url: string,
  options: ClientOptions & { protocols?: string[] } = {},
) {
  const { protocols = [], ...rest } = options;
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const websocket = new WebSocket(url.replace("http:", "ws:"), protocols, rest);
    websocket.on("open", () => {
      websocket.terminate();
      reject(new Error("the upgrade was not refused"));
    });
    websocket.on("error", () => undefined);
    websocket.on("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}
