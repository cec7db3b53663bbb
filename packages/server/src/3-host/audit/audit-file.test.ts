import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { checkAudit } from "./audit-chain.ts";
import { createAuditFile } from "./audit-file.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnwire-audit-"));
  return () => rm(directory, { recursive: true, force: true });
});

const path = () => join(directory, "audit.jsonl");
const linesOf = async () => (await readFile(path(), "utf8")).trimEnd().split("\n");
const check = async () => checkAudit(await createAuditFile(directory).read());

async function recordFour(): Promise<void> {
  const log = createAuditFile(directory);
  const acts = ["log_in", "trust", "rule", "approval"];
  await Promise.all(acts.map((action) => log.record({ action, outcome: "accepted" })));
}

describe("an audit log", () => {
  test("keeps every act in order, over a restart, for its owner only", async () => {
    await recordFour();
    const details = { mode: "planner" };
    const act = { action: "mode", outcome: "accepted", principal: "ann", address: "::1", details };
    await createAuditFile(directory).record(act);
    const { entries, problem } = await check();
    expect(problem).toBeUndefined();
    expect(entries.map(({ seq, action }) => `${seq} ${action}`)).toEqual([
      "1 log_in",
      "2 trust",
      "3 rule",
      "4 approval",
      "5 mode",
    ]);
    expect(entries[4]).toMatchObject(act);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["the first", 0, "Before entry 2 something was removed or changed."],
    ["one in the middle", 2, "Before entry 4 something was removed or changed."],
    ["the last", 3, "Entry 4, the last one, was removed."],
  ])("shows that %s line was removed, also after more was added", async (_, index, problem) => {
    await recordFour();
    const lines = (await linesOf()).toSpliced(index, 1);
    await writeFile(path(), `${lines.join("\n")}\n`);
    expect((await check()).problem).toBe(problem);
    await createAuditFile(directory).record({ action: "later", outcome: "accepted" });
    expect((await check()).problem).toBeDefined();
  });

  test("shows a line that was changed, added or made unreadable", async () => {
    await recordFour();
    const whole = await readFile(path(), "utf8");
    await writeFile(path(), whole.replace('"rule"', '"read"'));
    expect((await check()).problem).toBe("Entry 3 was changed.");
    const [first = ""] = await linesOf();
    await writeFile(path(), `${whole}${first}\n`);
    expect((await check()).problem).toBe("Before entry 1 something was removed or changed.");
    await writeFile(path(), whole);
    await appendFile(path(), "{\n");
    expect((await check()).problem).toBe("Line 5 cannot be read.");
  });

  test("takes a crash between a line and its mark for what it is", async () => {
    await recordFour();
    const mark = join(directory, "audit-mark.json");
    const earlier = await readFile(mark, "utf8");
    await createAuditFile(directory).record({ action: "later", outcome: "accepted" });
    await writeFile(mark, earlier);
    expect(await check()).toMatchObject({ entries: { length: 5 } });
    expect((await check()).problem).toBeUndefined();
  });
});
