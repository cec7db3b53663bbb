import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createSseDecoder, type SessionEvent } from "@turnwire/protocol";
import { builtProgram } from "./built-program.ts";

const script = fileURLToPath(new URL("crash-server.ts", import.meta.url));
export const token = "crash-test-token-0123456789-abcdefghijklmnop";

export interface CrashServerOptions {
  readonly port?: number;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
}

/** A server process that a fault may end at any moment. */
export class CrashingServer {
  readonly url: string;
  readonly port: number;
  readonly #child: ChildProcess;
  readonly exited: Promise<void>;

  /** Rejects when it died before it listened. */
  static async start(
    directory: string,
    fault?: string,
    options: CrashServerOptions = {},
  ): Promise<CrashingServer> {
    const child = spawn(
      process.execPath,
      [await builtProgram(script), directory, token, JSON.stringify(options)],
      {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, ...(fault !== undefined && { TURNWIRE_FAULT: fault }) },
      },
    );
    const exited = once(child, "exit").then(() => undefined);
    const line = once(child.stdout, "data").then(([chunk]) => String(chunk));
    const first = await Promise.race([line, exited]);
    if (first === undefined) throw new Error("the server died before it listened");
    const { url, port } = JSON.parse(first);
    return new CrashingServer(child, { url, port }, exited);
  }

  private constructor(
    child: ChildProcess,
    { url, port }: { readonly url: string; readonly port: number },
    exited: Promise<void>,
  ) {
    this.#child = child;
    this.url = url;
    this.port = port;
    this.exited = exited;
  }

  /** The answer's body when it was 2xx; undefined when the server died or refused. */
  async post(path: string, body: unknown): Promise<Record<string, unknown> | undefined> {
    try {
      const response = await fetch(this.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return response.ok ? await response.json() : undefined;
    } catch {
      return undefined;
    }
  }

  /** Follows a session, giving every frame's data to `onData`; ends with the connection or when told. */
  async follow(
    sessionId: string,
    onData: (data: string, event: SessionEvent) => "go on" | "stop",
  ): Promise<void> {
    const decoder = createSseDecoder();
    const abort = new AbortController();
    try {
      const response = await fetch(`${this.url}/sessions/${sessionId}/events`, {
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
        signal: abort.signal,
      });
      if (!response.body) return;
      const text = response.body.pipeThrough(new TextDecoderStream());
      for await (const chunk of text) {
        for (const frame of decoder.push(chunk)) {
          if (onData(frame.data, JSON.parse(frame.data)) === "stop") return;
        }
      }
    } catch {
      // The server died: that is what the test is about.
    } finally {
      abort.abort();
    }
  }

  async delete(path: string): Promise<void> {
    await fetch(this.url + path, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.exited;
  }

  /** Asks it to stop, and answers with its exit code. */
  async terminate(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    await this.exited;
    return this.#child.exitCode;
  }
}
