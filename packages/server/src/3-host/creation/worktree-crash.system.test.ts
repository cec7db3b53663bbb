import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteStore } from "@turnwire/log";
import { expect, test } from "vitest";
import { builtProgram } from "../../../../../test/support/built-program.ts";
import { openProcessRegistry, systemProcessTable } from "@turnwire/runtime/process";
import { admin } from "../../test-support/test-host.ts";
import { openLab } from "../../test-support/worktree-lab.ts";

const script = fileURLToPath(
  new URL("../../../../workspace/src/worktree/test-support/doomed-maker.ts", import.meta.url),
);

test("a server that is killed while it makes a worktree leaves nothing after the next start, also no setup command", async () => {
  const lab = await openLab();
  const before = await lab.traces();
  const dataDirectory = join(lab.place, "data");
  const pidFile = join(lab.place, "pid");
  const setup = `echo $$ > ${pidFile}.new && mv ${pidFile}.new ${pidFile}; sleep 600; true`;
  const args = [await builtProgram(script), dataDirectory, lab.repository, setup];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const exited = once(child, "exit");
  try {
    await expect.poll(() => existsSync(pidFile)).toBe(true);
    // A process is registered right after its start: what is killed before that is not found again.
    const registered = join(dataDirectory, "agents.json");
    await expect
      .poll(() => readFile(registered, "utf8").catch(() => ""))
      .toContain((await readFile(pidFile, "utf8")).trim());
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
  const pid = Number(await readFile(pidFile, "utf8"));
  expect(await isRunning(pid)).toBe(true);
  expect(lab.git("worktree", "list").split("\n")).toHaveLength(2);

  const registry = await openProcessRegistry({ dataDirectory });
  await registry.reapLeftovers();
  const store = await openSqliteStore({ path: join(dataDirectory, "turnwire.db") });
  const { host, errors } = lab.openHost({ store });
  try {
    await host.recover();
    expect(await isRunning(pid)).toBe(false);
    expect(await lab.traces()).toEqual(before);
    expect(await host.worktrees.list(admin)).toEqual({ worktrees: [] });
    expect(await host.list({ limit: 10, principal: admin })).toEqual({ sessions: [] });
    expect(errors).toEqual([]);
  } finally {
    await host.close();
    await store.close();
  }
});

/** A dead process that its parent has not collected yet does not run. */
async function isRunning(pid: number): Promise<boolean> {
  const found = await systemProcessTable().find(pid);
  return found !== undefined && !found.isZombie;
}
