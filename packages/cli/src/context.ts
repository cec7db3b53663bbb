import type { Readable, Writable } from "node:stream";
import type { Runtime } from "@turnwire/server";
import type { RuntimePlace } from "./runtime-catalog.ts";

/** A stream that may be a terminal. */
export type InputStream = Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** What a shell reports for a program that a signal ended. */
export const signalExitCode: Record<StopSignal, number> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** Everything a command may touch outside itself. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Calls the listener for each signal until the returned function is called. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
  /** The runtimes of a server in this process. */
  readonly createRuntimes: (place: RuntimePlace) => Promise<readonly Runtime[]>;
  /** The built web app, for a server in this process. */
  readonly webRoot?: string | undefined;
}
