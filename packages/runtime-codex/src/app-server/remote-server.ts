import { WebSocket } from "ws";
import { errorText } from "@turnwire/base";
import { MessageQueue } from "@turnwire/runtime/process";
import { RuntimeError } from "@turnwire/runtime";
import type { CodexOptions } from "../setting/options.ts";
import type { RpcChannel } from "../protocol/rpc.ts";

const maxFrameBytes = 64 * 1024 * 1024;

/** Connects to an app-server that somebody else runs: `codex app-server --listen ws://…`. Rejects with a RuntimeError. */
export async function connectRemote(
  url: string,
  { token, startMs = 30_000 }: Pick<CodexOptions, "token" | "startMs">,
): Promise<RpcChannel & { stop(): Promise<void> }> {
  const socket = new WebSocket(url, {
    handshakeTimeout: startMs,
    maxPayload: maxFrameBytes,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });
  const lines = new MessageQueue<{ type: "line"; text: string }>();
  socket.on("message", (data) => {
    // As the socket's binaryType has it.
    if (!Buffer.isBuffer(data)) return;
    lines.push({ type: "line", text: data.toString("utf8") });
    if (!lines.isFull) return;
    socket.pause();
    void lines.room().then(() => socket.resume());
  });
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      lines.end();
      resolve();
    });
  });
  await opened(socket, url);
  // What goes wrong from now on is followed by the close.
  socket.on("error", () => undefined);
  return {
    lines,
    write: (line) => send(socket, line),
    stderr: () => "",
    ended: async () => {
      await closed;
      return `at ${url} has closed the connection`;
    },
    stop: async () => {
      socket.close();
      const timer = setTimeout(() => socket.terminate(), 1000);
      await closed;
      clearTimeout(timer);
    },
  };
}

function opened(socket: WebSocket, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", (cause) => {
      const step = `Start it with: codex app-server --listen ${url}`;
      const message = `The Codex app-server at ${url} cannot be reached: ${errorText(cause)}. ${step}`;
      reject(new RuntimeError("not_available", message, { cause }));
    });
  });
}

function send(socket: WebSocket, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(line, (cause) => {
      if (!cause) return resolve();
      reject(new RuntimeError("exited", "The connection to Codex is closed.", { cause }));
    });
  });
}
