import type { ProjectGit } from "@turnwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { GitFacts } from "./git-facts.ts";

/** Facts over a git that answers when the test says so. */
function open() {
  const clock = new ManualClock();
  const reads: { directory: string; answer: (facts: ProjectGit | undefined) => void }[] = [];
  let changes = 0;
  const facts = new GitFacts({
    clock,
    onChanged: () => (changes += 1),
    onError: (error) => {
      throw error;
    },
    read: (directory) =>
      new Promise((answer) => {
        reads.push({ directory, answer });
      }),
  });
  onTestFinished(() => facts.close());
  /** The reading that was begun last gets an answer, and all that follows from it has happened. */
  const answer = async (branch: string) => {
    await clock.advance(0);
    reads.at(-1)?.answer({ branch });
    await clock.advance(0);
  };
  return { facts, clock, reads, answer, changes: () => changes };
}

test("many who ask about a directory at once cause one reading, and no one is notified of what they got", async () => {
  const { facts, answer, reads, changes } = open();
  const asked = Promise.all([facts.of("/a"), facts.of("/a"), facts.of("/a")]);
  await answer("main");
  expect(await asked).toEqual([{ branch: "main" }, { branch: "main" }, { branch: "main" }]);
  expect(reads).toHaveLength(1);
  expect(changes()).toBe(0);
});

test("a git that is slow is not waited for: the answer comes without, and a notice when it is there", async () => {
  const { facts, clock, answer, changes } = open();
  const asked = facts.of("/slow");
  await clock.advance(500);
  expect(await asked).toBeUndefined();
  await answer("main");
  expect(changes()).toBe(1);
  expect(await facts.of("/slow")).toEqual({ branch: "main" });
});

test("what was read a while ago is answered at once and read again behind it", async () => {
  const { facts, clock, answer, reads, changes } = open();
  const first = facts.of("/a");
  await answer("main");
  await first;
  await clock.advance(4999);
  expect(await facts.of("/a")).toEqual({ branch: "main" });
  expect(reads).toHaveLength(1);
  await clock.advance(1);
  expect(await facts.of("/a")).toEqual({ branch: "main" });
  expect(reads).toHaveLength(2);
  await answer("main");
  expect(changes()).toBe(0);
  await clock.advance(5000);
  await facts.of("/a");
  await answer("other");
  expect(changes()).toBe(1);
});

test("at most two directories are read at a time", async () => {
  const { facts, clock, reads } = open();
  const asked = Promise.all(["/a", "/b", "/c"].map((path) => facts.of(path)));
  await clock.advance(0);
  expect(reads.map(({ directory }) => directory)).toEqual(["/a", "/b"]);
  reads[0]?.answer(undefined);
  await clock.advance(0);
  expect(reads.map(({ directory }) => directory)).toEqual(["/a", "/b", "/c"]);
  for (const { answer } of reads) answer(undefined);
  await asked;
});

test("work in a directory has the projects around it read again, however much there is, once in 3 s", async () => {
  const { facts, clock, answer, reads, changes } = open();
  const asked = facts.of("/code/app");
  await answer("main");
  await asked;
  for (let index = 0; index < 100; index += 1) facts.touch("/code/app/src");
  facts.touch("/code/app-2");
  facts.touch("/code");
  expect(reads).toHaveLength(1);
  await clock.advance(3000);
  expect(reads).toHaveLength(2);
  await answer("side");
  expect(changes()).toBe(1);
  await clock.advance(10_000);
  facts.touch("/code/app");
  await clock.advance(0);
  expect(reads).toHaveLength(3);
  await answer("side");
});

test("after the end nothing is read and nothing waits", async () => {
  const { facts, clock, answer, reads, changes } = open();
  const asked = facts.of("/a");
  await answer("main");
  await asked;
  facts.touch("/a");
  facts.close();
  await clock.advance(10_000);
  expect(await facts.of("/a")).toBeUndefined();
  expect(reads).toHaveLength(1);
  expect(clock.waiting).toBe(0);
  expect(changes()).toBe(0);
});
