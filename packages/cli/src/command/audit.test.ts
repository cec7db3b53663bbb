import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

let machine: TestMachine;
beforeEach(async () => {
  machine = await TestMachine.create();
});
afterEach(() => machine.remove());

test("turnwire audit shows what was done, also later, and fails where a line was removed", async () => {
  expect((await machine.run(["audit"])).stdout).toContain("Nothing has been recorded yet.");
  const { stop } = await machine.serve();
  await machine.run(["policy", "allow", "make"]);
  await machine.run(["policy", "allow", "just"]);
  await stop();
  const shown = await machine.run(["audit"]);
  expect(shown.stdout).toMatch(/local .*POST \/policy\/rules +accepted.*"argv":\["make"\]/);
  expect(shown.code).toBe(0);
  const path = join(machine.dataDirectory, "audit.jsonl");
  const [, ...rest] = (await readFile(path, "utf8")).split("\n");
  await writeFile(path, rest.join("\n"));
  const broken = await machine.run(["audit", "--json"]);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain("The audit log is not whole.");
});
