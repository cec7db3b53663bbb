import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { builtProgram } from "../../../../test/support/built-program.ts";
import type { ClaudeRuntimeOptions } from "@turnwire/runtime-claude";
import type { CodexRuntimeOptions } from "@turnwire/runtime-codex";

/** What a host on a shared store does until it is killed. */
export interface SharedHostPlan {
  readonly storeUrl: string;
  readonly leaseMs: number;
  readonly cwd: string;
  readonly sessionId: string;
  readonly claude?: Pick<ClaudeRuntimeOptions, "env" | "model">;
  readonly codex?: Pick<CodexRuntimeOptions, "home" | "env">;
  /** The turns that end, and the one in whose middle it dies. */
  readonly turns: readonly string[];
  readonly lastTurn: string;
}

const script = fileURLToPath(new URL("doomed-shared-host.ts", import.meta.url));

/** Runs the plan until its last turn asks for permission; then kills the host. */
export async function killHostInTurn(plan: SharedHostPlan): Promise<void> {
  const child = spawn(process.execPath, [await builtProgram(script), JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === "permission_request") return;
    }
    throw new Error("The host ended by itself before its last turn asked anything.");
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}
