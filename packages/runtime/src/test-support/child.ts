import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type AgentProcess,
  type AgentProcessOptions,
  spawnAgentProcess,
} from "../process/agent-process.ts";
import { childEnvironment } from "../process/environment.ts";
import type { SplitLine } from "../process/line-splitter.ts";
import { systemProcessTable } from "../process/process-table.ts";

/** Short where a test waits for the limit; nothing waits until a killed process is not gone. */
const testLimits = { endMs: 50, termMs: 200, killMs: 600_000 };

/** Runs JavaScript as an agent, ended with the test. */
export async function spawnScript(
  script: string,
  options: Partial<AgentProcessOptions> = {},
): Promise<AgentProcess> {
  const agent = await spawnAgentProcess({
    command: process.execPath,
    args: ["-e", script],
    cwd: process.cwd(),
    env: childEnvironment(["PATH"]),
    ...options,
    limits: { ...testLimits, ...options.limits },
  });
  onTestFinished(async () => {
    await agent.stop();
  });
  return agent;
}

/** All lines, the skipped ones as their size. */
export async function linesOf(agent: {
  lines: AsyncIterable<SplitLine>;
}): Promise<(string | number)[]> {
  const lines: (string | number)[] = [];
  for await (const line of agent.lines) lines.push(line.type === "line" ? line.text : line.bytes);
  return lines;
}

/** Takes lines one by one; the rest stays unread. */
export function lineByLine(agent: { lines: AsyncIterable<SplitLine> }): () => Promise<string> {
  const lines = agent.lines[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done || value.type !== "line") throw new Error("The agent gave no more lines.");
    return value.text;
  };
}

export async function isAlive(pid: number): Promise<boolean> {
  const entry = await systemProcessTable().find(pid);
  return entry !== undefined && !entry.isZombie;
}

/** A directory that is gone after the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "turnwire-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Runs on until it is killed, whatever its input does. */
export const runForever = "setInterval(() => {}, 1000);";
export const ignoreTerm = "process.on('SIGTERM', () => {});";

/** Starts a child of the agent that ignores SIGTERM, and prints its pid once that is so. */
export function startGrandchild(options: string): string {
  return `
    const grandchild = require("node:child_process").spawn(
      process.execPath,
      ["-e", ${JSON.stringify(`${ignoreTerm} ${runForever} process.send("ready");`)}],
      ${options},
    );
    grandchild.once("message", () => { grandchild.disconnect(); console.log(grandchild.pid); afterwards(); });
  `;
}
