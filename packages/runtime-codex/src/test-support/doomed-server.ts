import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { builtProgram } from "../../../../test/support/built-program.ts";

/** The behavior of a server before it is killed. */
export interface DoomedPlan {
  readonly dataDirectory: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly runtime: string;
  readonly sessionId: string;
  readonly mode: string;
  /** The turn that ends, and the one in whose middle it dies. */
  readonly first: string;
  readonly second: string;
}

const script = fileURLToPath(new URL("doomed-host.ts", import.meta.url));

/** Runs the plan until the second turn has made an event of the type and `ready` resolves; then kills it. */
export async function killServerAt(
  plan: DoomedPlan,
  type: string,
  ready: () => Promise<unknown>,
): Promise<void> {
  const child = spawn(process.execPath, [await builtProgram(script), JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    for await (const line of createInterface({ input: child.stdout })) if (line === type) break;
    await ready();
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}
