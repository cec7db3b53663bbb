import { describe, expect, test } from "vitest";
import { psProcessTable, systemProcessTable } from "./process-table.ts";
import {
  ignoreTerm,
  isAlive,
  lineByLine,
  linesOf,
  runForever,
  spawnScript,
  startGrandchild,
} from "../test-support/child.ts";

const sharedPipes = `{ stdio: ["ignore", "inherit", "inherit", "ipc"] }`;
/** A grace that no test waits for. */
const never = 600_000;
const ownSession = `{ stdio: ["ignore", "ignore", "ignore", "ipc"], detached: true }`;

describe("an agent process", () => {
  test("takes lines and gives lines", async () => {
    const agent = await spawnScript("process.stdin.pipe(process.stdout);");
    const next = lineByLine(agent);
    await agent.write('{"text":"héllo"}');
    expect(await next()).toBe('{"text":"héllo"}');
    await agent.write("again");
    expect(await next()).toBe("again");
  });

  test("sees only the environment it was given, and its mark", async () => {
    const script = "console.log(JSON.stringify(Object.keys(process.env).sort()));";
    const agent = await spawnScript(script, { env: { GIVEN: "1" } });
    expect(await linesOf(agent)).toEqual([JSON.stringify(["GIVEN", "TURNWIRE_AGENT"])]);
  });

  test("gets its arguments as they are: there is no shell", async () => {
    const evil = "$(touch owned); `touch owned` && touch owned";
    const script = "console.log(JSON.stringify(process.argv.slice(1)));";
    const agent = await spawnScript("", { args: ["-e", script, evil] });
    expect(await linesOf(agent)).toEqual([JSON.stringify([evil])]);
  });

  test("leads a process group of its own", async () => {
    const agent = await spawnScript(`process.stdin.resume(); console.log("ready");`);
    await lineByLine(agent)();
    expect(() => process.kill(-agent.pid, 0)).not.toThrow();
  });

  test("reports how it ended", async () => {
    const agent = await spawnScript("process.exit(7);");
    expect(await agent.exited).toEqual({ code: 7, signal: null });
    const killed = await spawnScript("process.kill(process.pid, 'SIGKILL');");
    expect(await killed.exited).toEqual({ code: null, signal: "SIGKILL" });
  });
});

describe("stopping an agent process", () => {
  test("ends its input first, and it may leave by itself", async () => {
    const agent = await spawnScript("process.stdin.resume();", { limits: { endMs: never } });
    expect(await agent.stop()).toEqual([]);
    expect(await agent.exited).toEqual({ code: 0, signal: null });
  });

  test("sends SIGTERM to one that ignores the end of its input", async () => {
    const agent = await spawnScript(`${runForever} console.log("ready");`, {
      limits: { termMs: never },
    });
    await lineByLine(agent)();
    expect(await agent.stop()).toEqual([]);
    expect(await agent.exited).toEqual({ code: null, signal: "SIGTERM" });
  });

  test("kills one that ignores SIGTERM", async () => {
    const agent = await spawnScript(`${ignoreTerm} ${runForever} console.log("ready");`);
    await lineByLine(agent)();
    expect(await agent.stop()).toEqual([]);
    expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect(await isAlive(agent.pid)).toBe(false);
  });

  test.each([
    { name: "proc", table: systemProcessTable() },
    { name: "ps", table: psProcessTable },
  ])("also ends a grandchild that ignores SIGTERM, seen by $name", async ({ table }) => {
    const script = `const afterwards = () => {}; ${startGrandchild(sharedPipes)} ${runForever}`;
    const agent = await spawnScript(script, { table });
    const grandchild = Number(await lineByLine(agent)());
    expect(await agent.stop()).toEqual([]);
    expect(await isAlive(grandchild)).toBe(false);
  });

  test.runIf(process.platform === "linux")(
    "also ends a grandchild that left the process group",
    async () => {
      const script = `const afterwards = () => {}; ${startGrandchild(ownSession)} ${runForever}`;
      const agent = await spawnScript(script);
      const grandchild = Number(await lineByLine(agent)());
      expect(await agent.stop()).toEqual([]);
      expect(await isAlive(grandchild)).toBe(false);
    },
  );

  test("kills what it can when the system does not show its processes", async () => {
    const blind = async () => Promise.reject(new Error("no ps here"));
    const table = { list: blind, find: blind, hasVariable: blind };
    const agent = await spawnScript(`${ignoreTerm} ${runForever} console.log("ready");`, { table });
    await lineByLine(agent)();
    expect(await agent.stop()).toEqual([agent.pid]);
    expect(await agent.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("may be asked twice, also after the end", async () => {
    const agent = await spawnScript("process.stdin.resume();");
    const [first, second] = await Promise.all([agent.stop(), agent.stop()]);
    expect([first, second, await agent.stop()]).toEqual([[], [], []]);
  });
});

describe("an agent process that ends by itself", () => {
  test("is over at its exit, though a grandchild keeps its output open", async () => {
    const script = `const afterwards = () => process.exit(0); ${startGrandchild(sharedPipes)}`;
    const agent = await spawnScript(script, { limits: { termMs: never } });
    const grandchild = Number(await lineByLine(agent)());
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(await isAlive(grandchild)).toBe(true);
    process.kill(grandchild, "SIGKILL");
    await agent.stop();
  });

  test("ends its lines then, too", async () => {
    const script = `const afterwards = () => process.exit(0); ${startGrandchild(sharedPipes)}`;
    const agent = await spawnScript(script, { limits: { termMs: never } });
    const [grandchild, ...others] = await linesOf(agent);
    expect(others).toEqual([]);
    expect(await isAlive(Number(grandchild))).toBe(true);
    process.kill(Number(grandchild), "SIGKILL");
  });

  test("takes its grandchildren along without being stopped", async () => {
    const script = `const afterwards = () => process.exit(0); ${startGrandchild(sharedPipes)}`;
    const agent = await spawnScript(script);
    const grandchild = Number(await lineByLine(agent)());
    while (await isAlive(grandchild));
    expect(await agent.exited).toEqual({ code: 0, signal: null });
  });

  test("gives all that it wrote, also half a line", async () => {
    const agent = await spawnScript(`process.stdout.write('{"a":1}\\n{"b"');`);
    expect(await linesOf(agent)).toEqual(['{"a":1}', '{"b"']);
  });

  test("keeps its lines for a reader that comes late", async () => {
    const agent = await spawnScript(`process.stdout.write("x".repeat(50) + "\\nlast\\n");`);
    await agent.exited;
    expect(await linesOf(agent)).toEqual(["x".repeat(50), "last"]);
  });

  test("loses no line when it is gone before its start was complete", async () => {
    const table = systemProcessTable();
    const slow = {
      ...table,
      find: async (pid: number) => {
        while (await isAlive(pid));
        return table.find(pid);
      },
    };
    const agent = await spawnScript(`console.log("quick");`, { table: slow });
    await agent.exited;
    expect(await linesOf(agent)).toEqual(["quick"]);
  });

  test("refuses what is written afterwards", async () => {
    const agent = await spawnScript("process.exit(3);");
    await agent.exited;
    await expect(agent.write("late")).rejects.toMatchObject({
      code: "exited",
      message: expect.stringContaining("code 3"),
    });
  });

  test("harms nothing when it exits between its start and the first write", async () => {
    const agent = await spawnScript("process.exit(3);");
    const writes = Array.from({ length: 20 }, () => agent.write("x".repeat(100_000)));
    const outcomes = await Promise.allSettled(writes);
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.code] : [],
    );
    expect(codes).toEqual(codes.map(() => "exited"));
    expect(await agent.exited).toEqual({ code: 3, signal: null });
  });
});

describe("an agent process with difficult output", () => {
  test("may flood: every line arrives", async () => {
    const script = `
      for (let index = 0; index < 50000; index += 1) require("fs").writeSync(1, "line " + index + "\\n");
    `;
    const agent = await spawnScript(script);
    let count = 0;
    for await (const line of agent.lines) {
      if (line.type === "line" && line.text === `line ${count}`) count += 1;
    }
    expect(count).toBe(50_000);
  });

  test("may flood stderr: it continues, and only the last of it is kept", async () => {
    const script = `
      for (let index = 0; index < 100; index += 1) require("fs").writeSync(2, "e".repeat(100000));
      require("fs").writeSync(2, "the end");
      console.log("done");
    `;
    const agent = await spawnScript(script);
    expect(await linesOf(agent)).toEqual(["done"]);
    await agent.exited;
    expect(agent.stderr()).toMatch(/ethe end$/);
    expect(agent.stderr().length).toBe(64 * 1024);
  });

  test("may close stdout and run on: its lines end, and it can be stopped", async () => {
    const agent = await spawnScript(
      `console.log("last"); require("fs").closeSync(1); ${runForever}`,
    );
    expect(await linesOf(agent)).toEqual(["last"]);
    expect(await isAlive(agent.pid)).toBe(true);
    expect(await agent.stop()).toEqual([]);
  });

  test("may write bytes that are not text between its lines", async () => {
    const script = `
      const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
      process.stdout.write(Buffer.concat([bytes, Buffer.from("\\nstill fine\\n")]));
    `;
    const lines = await linesOf(await spawnScript(script));
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toBe("still fine");
  });

  test("may write U+2028, a byte order mark and CRLF", async () => {
    const script = `process.stdout.write('\\uFEFF{"a":"\\u2028"}\\r\\n\\r\\n{"b":"\\u2029"}\\r\\n');`;
    const agent = await spawnScript(script);
    expect(await linesOf(agent)).toEqual(['{"a":"\u2028"}', '{"b":"\u2029"}']);
  });

  test("may write a line of 20 MB: it is skipped, and the next one arrives", async () => {
    const script = `process.stdout.write("x".repeat(20000000) + "\\nnext\\n");`;
    expect(await linesOf(await spawnScript(script))).toEqual([20_000_000, "next"]);
    const patient = await spawnScript(script, { limits: { maxLineBytes: 32 * 1024 * 1024 } });
    const [whole] = await linesOf(patient);
    expect(whole).toBe("x".repeat(20_000_000));
  });
});

describe("an agent process that never reads", () => {
  test("is reported as stalled when too much would wait for it", async () => {
    const agent = await spawnScript(runForever, { limits: { maxQueuedBytes: 1_000_000 } });
    const outcomes = Promise.allSettled([
      agent.write("x".repeat(900_000)),
      agent.write("y".repeat(900_000)),
    ]);
    await agent.stop();
    expect(await outcomes).toMatchObject([
      { reason: { code: "exited" } },
      { reason: { code: "stalled" } },
    ]);
  });

  test("is reported as stalled when it does not take a line in time", async () => {
    const agent = await spawnScript(runForever, { limits: { writeDeadlineMs: 20 } });
    await expect(agent.write("x".repeat(5_000_000))).rejects.toMatchObject({ code: "stalled" });
    await expect(agent.write("more")).rejects.toMatchObject({ code: "stalled" });
  });

  test("is not sent a line with a line break in it", async () => {
    const agent = await spawnScript("process.stdin.pipe(process.stdout);");
    await expect(agent.write("two\nlines")).rejects.toMatchObject({ code: "protocol" });
  });
});
