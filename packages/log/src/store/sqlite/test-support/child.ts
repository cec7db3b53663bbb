import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { builtProgram } from "../../../../../../test/support/built-program.ts";

export interface StoreChild {
  readonly process: ChildProcess;
  /** What it prints, line by line, until it has ended. */
  readonly lines: AsyncIterable<string>;
  /** The signal that ended it, or null. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

/** Runs a script with the path of a store, in a process of its own. */
export async function startChild(script: URL, path: string, fault?: string): Promise<StoreChild> {
  const args = [await builtProgram(fileURLToPath(script)), path];
  const env = fault === undefined ? process.env : { ...process.env, TURNWIRE_FAULT: fault };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit").then(([, signal]) => signal as NodeJS.Signals | null);
  return { process: child, lines: createInterface({ input: child.stdout }), ended };
}
