import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { builtProgram } from "../../../../test/support/built-program.ts";
import { openProcessRegistry, type RegisteredProcess } from "./process-registry.ts";
import { psProcessTable, systemProcessTable } from "./process-table.ts";
import {
  ignoreTerm,
  isAlive,
  lineByLine,
  runForever,
  spawnScript,
  startGrandchild,
  temporaryDirectory,
} from "../test-support/child.ts";

const table = systemProcessTable();
const graces = { termMs: 200, killMs: 600_000 };

async function registered(dataDirectory: string): Promise<RegisteredProcess[]> {
  const text = await readFile(join(dataDirectory, "agents.json"), "utf8");
  return JSON.parse(text).processes;
}

/** A process group that has nothing to do with us, ended with the test. */
async function stranger(script: string): Promise<{ pid: number; line: string }> {
  const child = spawn(process.execPath, ["-e", script], { detached: true, env: {} });
  const { pid = 0 } = child;
  onTestFinished(() => {
    process.kill(-pid, "SIGKILL");
  });
  const [line] = await once(child.stdout, "data");
  return { pid, line: String(line).trim() };
}

/** Leaves a registry as a dead server would have. */
async function leave(entry: Partial<RegisteredProcess>): Promise<string> {
  const dataDirectory = await temporaryDirectory();
  const whole = {
    pid: 2 ** 30,
    startTime: "long/ago",
    mark: "no-such-mark",
    command: "agent",
    owner: { pid: 2 ** 30, startTime: "long/ago" },
    ...entry,
  };
  await writeFile(join(dataDirectory, "agents.json"), JSON.stringify({ processes: [whole] }));
  return dataDirectory;
}

describe("the process registry", () => {
  test("holds an agent from its start to its end", async () => {
    const dataDirectory = await temporaryDirectory();
    const registry = await openProcessRegistry({ dataDirectory });
    const agent = await spawnScript("process.stdin.resume();", { registry, sessionId: "s1" });
    const startTime = (await table.find(agent.pid))?.startTime;
    const owner = { pid: process.pid, startTime: (await table.find(process.pid))?.startTime };
    expect(await registered(dataDirectory)).toMatchObject([
      { pid: agent.pid, startTime, sessionId: "s1", command: process.execPath, owner },
    ]);
    await agent.stop();
    expect(await registered(dataDirectory)).toEqual([]);
  });

  test("forgets an agent that ends by itself, also at once", async () => {
    const dataDirectory = await temporaryDirectory();
    const registry = await openProcessRegistry({ dataDirectory });
    const agents = await Promise.all(
      Array.from({ length: 5 }, () => spawnScript("process.exit(0);", { registry })),
    );
    await Promise.all(agents.map((agent) => agent.stop()));
    expect(await registered(dataDirectory)).toEqual([]);
  });

  test("is readable by its owner only, and leaves no half-written file", async () => {
    const dataDirectory = join(await temporaryDirectory(), "new");
    const registry = await openProcessRegistry({ dataDirectory });
    const entry = { pid: 1, startTime: "x", command: "agent" };
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => registry.add({ ...entry, mark: String(index) })),
    );
    expect(await registered(dataDirectory)).toHaveLength(50);
    expect((await stat(join(dataDirectory, "agents.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
    expect(await readdir(dataDirectory)).toEqual(["agents.json"]);
  });

  test("puts a file aside that makes no sense, and says so", async () => {
    for (const nonsense of ["", "{", "[]", '{"processes":[{"pid":-1}]}', '{"processes":7}']) {
      const dataDirectory = await temporaryDirectory();
      await writeFile(join(dataDirectory, "agents.json"), nonsense);
      const registry = await openProcessRegistry({ dataDirectory });
      const report = await registry.reapLeftovers();
      expect(report).toMatchObject({ ended: [], remaining: [] });
      expect(report.problem).toContain("agents.json.broken");
      expect(await readFile(join(dataDirectory, "agents.json.broken"), "utf8")).toBe(nonsense);
    }
  });

  test("that cannot be written ends the agent again and refuses the start", async () => {
    const dataDirectory = await temporaryDirectory();
    const registry = await openProcessRegistry({ dataDirectory });
    await mkdir(join(dataDirectory, "agents.json", "in-the-way"), { recursive: true });
    const seen: number[] = [];
    const watched = {
      ...table,
      find: (pid: number) => {
        seen.push(pid);
        return table.find(pid);
      },
    };
    await expect(spawnScript(runForever, { registry, table: watched })).rejects.toMatchObject({
      code: "spawn_failed",
      message: expect.stringContaining("data directory"),
    });
    expect(seen.length).toBeGreaterThan(0);
    for (const pid of seen) expect(await isAlive(pid)).toBe(false);
  });
});

describe("reaping at boot", () => {
  test.each([
    { name: "proc", table: systemProcessTable() },
    { name: "ps", table: psProcessTable },
  ])("ends the agent of a server that was killed, seen by $name", async ({ name, table }) => {
    const dataDirectory = await temporaryDirectory();
    const supervisor = fileURLToPath(
      new URL("../test-support/doomed-supervisor.ts", import.meta.url),
    );
    const script = `${ignoreTerm} ${runForever} console.log("ready");`;
    const server = spawn(
      process.execPath,
      [await builtProgram(supervisor), dataDirectory, script, name],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    onTestFinished(() => {
      server.kill("SIGKILL");
    });
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    expect((await lines.next()).value).toBe("ready");
    server.kill("SIGKILL");
    await once(server, "exit");
    expect(await isAlive(pid)).toBe(true);

    const registry = await openProcessRegistry({ dataDirectory, table, ...graces });
    const report = await registry.reapLeftovers();
    expect(report.ended).toMatchObject([{ pid, sessionId: "s1" }]);
    expect(report.remaining).toEqual([]);
    expect(await isAlive(pid)).toBe(false);
    expect(await registered(dataDirectory)).toEqual([]);
  });

  test("never ends a process that has got a dead agent's pid", async () => {
    const { pid } = await stranger(`${runForever} console.log("ready");`);
    const dataDirectory = await leave({ pid, startTime: "another/time" });
    const registry = await openProcessRegistry({ dataDirectory, ...graces });
    expect(await registry.reapLeftovers()).toEqual({ ended: [], remaining: [] });
    expect(await isAlive(pid)).toBe(true);
    expect(await registered(dataDirectory)).toEqual([]);
  });

  test("never ends a group whose leader is gone, unless it has the mark", async () => {
    const script = `
      const afterwards = () => process.exit(0);
      ${startGrandchild(`{ stdio: ["ignore", "ignore", "ignore", "ipc"] }`)}
    `;
    const { pid, line } = await stranger(script);
    const dataDirectory = await leave({ pid });
    const registry = await openProcessRegistry({ dataDirectory, ...graces });
    expect(await registry.reapLeftovers()).toEqual({ ended: [], remaining: [] });
    expect(await isAlive(Number(line))).toBe(true);
  });

  test.runIf(process.platform === "linux")(
    "ends a marked grandchild whose agent is gone",
    async () => {
      const script = `
        process.env.TURNWIRE_AGENT = "mark-of-this-test";
        const afterwards = () => process.exit(0);
        ${startGrandchild(`{ stdio: ["ignore", "ignore", "ignore", "ipc"], detached: true }`)}
      `;
      const child = spawn(process.execPath, ["-e", script], { env: {} });
      const [line] = await once(child.stdout, "data");
      const dataDirectory = await leave({ mark: "mark-of-this-test" });
      const registry = await openProcessRegistry({ dataDirectory, ...graces });
      expect((await registry.reapLeftovers()).ended).toHaveLength(1);
      expect(await isAlive(Number(String(line)))).toBe(false);
    },
  );

  test("leaves the agents of a server alone that still lives", async () => {
    const dataDirectory = await temporaryDirectory();
    const registry = await openProcessRegistry({ dataDirectory });
    const agent = await spawnScript(`process.stdin.resume(); console.log("ready");`, { registry });
    await lineByLine(agent)();
    const another = await openProcessRegistry({ dataDirectory, ...graces });
    expect(await another.reapLeftovers()).toEqual({ ended: [], remaining: [] });
    expect(await isAlive(agent.pid)).toBe(true);
    expect(await registered(dataDirectory)).toHaveLength(1);
  });

  test("has nothing to do the first time", async () => {
    const registry = await openProcessRegistry({ dataDirectory: await temporaryDirectory() });
    expect(await registry.reapLeftovers()).toEqual({ ended: [], remaining: [] });
  });
});
