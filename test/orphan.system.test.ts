import { readFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CrashingServer } from "./support/crashing-server.ts";

/** False for zombies too: they only wait for whoever should have read their exit. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return !/\) Z/.test(stat);
  } catch {
    return false;
  }
}

/** Starts a turn on an agent with a process of its own, and answers with all its pids. */
async function startAgent(server: CrashingServer): Promise<number[]> {
  await server.post("/sessions", { session_id: "s", runtime: "process" });
  await server.post("/sessions/s/message", { message: "go" });
  let pids: number[] = [];
  await server.follow("s", (_data, event) => {
    if (event.type !== "notice") return "go on";
    pids = event.data.text.split(" ").map(Number);
    return "stop";
  });
  return pids;
}

describe.runIf(process.platform === "linux")("no agent process outlives its server", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "turnwire-orphan-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test("that was killed: the next one reaps the agent and what it started", async () => {
    const first = await CrashingServer.start(directory);
    const pids = await startAgent(first);
    expect(pids).toHaveLength(2);
    expect(await Promise.all(pids.map(isRunning))).toEqual([true, true]);
    await first.kill();
    const second = await CrashingServer.start(directory);
    expect(await Promise.all(pids.map(isRunning))).toEqual([false, false]);
    await second.kill();
  });

  test("that was asked to stop: it ends its agents itself and exits 0", async () => {
    const server = await CrashingServer.start(directory);
    const pids = await startAgent(server);
    expect(await server.terminate()).toBe(0);
    expect(await Promise.all(pids.map(isRunning))).toEqual([false, false]);
  });

  test("whose session was deleted", async () => {
    const server = await CrashingServer.start(directory);
    const pids = await startAgent(server);
    await server.delete("/sessions/s");
    expect(await Promise.all(pids.map(isRunning))).toEqual([false, false]);
    await server.kill();
  });
});
