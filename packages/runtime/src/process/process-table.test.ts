import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  entryFromStat,
  type ProcessTable,
  procProcessTable,
  psProcessTable,
} from "./process-table.ts";

const isLinux = process.platform === "linux";
const tables: [string, ProcessTable][] = [
  ["ps", psProcessTable],
  ...(isLinux ? [["proc", procProcessTable] satisfies [string, ProcessTable]] : []),
];

describe.each(tables)("the process table of %s", (_, table) => {
  test("knows this process, and always by the same start time", async () => {
    const entry = await table.find(process.pid);
    expect(entry).toMatchObject({ pid: process.pid, isZombie: false });
    expect(await table.find(process.pid)).toEqual(entry);
    expect(await table.list()).toContainEqual(entry);
  });

  test("does not know an unused pid", async () => {
    expect(await table.find(2 ** 30)).toBeUndefined();
  });

  test("recognizes a dead child that was not collected", async () => {
    const script = `
      const child = require("node:child_process").spawn("sleep", ["60"]);
      child.once("spawn", () => console.log(child.pid));
    `;
    const parent = spawn(process.execPath, ["-e", script]);
    onTestFinished(() => {
      parent.kill("SIGKILL");
    });
    const [printed] = await once(parent.stdout, "data");
    const zombie = Number(String(printed));
    parent.kill("SIGSTOP");
    process.kill(zombie, "SIGKILL");
    while ((await table.find(zombie))?.isZombie === false);
    expect(await table.find(zombie)).toMatchObject({ pid: zombie, isZombie: true });
  });
});

describe("the process table of proc", () => {
  test("is not confused by a process name with blanks and parentheses", () => {
    const rest = "S 1 77 77 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 223799 1 1";
    expect(entryFromStat(80, `80 (a) R (b c)) ${rest}`, "boot")).toEqual({
      pid: 80,
      group: 77,
      isZombie: false,
      startTime: "boot/223799",
    });
  });

  test("knows nothing from half a line", () => {
    expect(entryFromStat(80, "80 (sh) S 1 77", "boot")).toBeUndefined();
    expect(entryFromStat(80, "", "boot")).toBeUndefined();
  });

  test.runIf(isLinux)("sees with which environment a process was started", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      env: { MARK: "abc" },
    });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    await once(child, "spawn");
    const { pid = 0 } = child;
    expect(await procProcessTable.hasVariable(pid, "MARK=abc")).toBe(true);
    expect(await procProcessTable.hasVariable(pid, "MARK=ab")).toBe(false);
    expect(await procProcessTable.hasVariable(2 ** 30, "MARK=abc")).toBe(false);
  });
});
