import type { Logger } from "@turnwire/base";
import type { ProcessRegistry } from "@turnwire/runtime/process";
import type { Runtime } from "@turnwire/runtime";
import type { SessionDefaults } from "../configuration/session-defaults.ts";
import type { InputStream, OutputStream } from "../terminal/stream.ts";

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** What a shell reports for a program that a signal ended. */
export const signalExitCode: Record<StopSignal, number> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** Where the runtimes are to run. */
export interface RuntimePlace {
  readonly dataDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the person's own settings of each agent apply; false by default. */
  readonly usesUserSettings?: boolean;
  /** Remembers the processes they start. */
  readonly registry?: ProcessRegistry;
  /** Gets what they write to stderr. */
  readonly logger?: Logger;
  /** What their sessions are configured with. */
  readonly defaults?: SessionDefaults;
}

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
