import { expect, test } from "vitest";
import { firstStart } from "./first-start.ts";

/** Starts that the test answers, in the order in which they begin. */
function startsIn(home: string) {
  const begun: { answer: (isAnswered: boolean) => void }[] = [];
  return {
    begun,
    start: () =>
      firstStart(
        home,
        async () => {
          const gate: { answer: (isAnswered: boolean) => void } = { answer: () => undefined };
          const answered = new Promise<boolean>((resolve) => (gate.answer = resolve));
          begun.push(gate);
          return answered;
        },
        async (answered) => answered,
      ),
  };
}

test("in a fresh home one start follows the other, until the first is answered", async () => {
  const { begun, start } = startsIn("/homes/one");
  const all = [start(), start(), start()];
  await expect.poll(() => begun.length).toBe(1);
  begun[0]?.answer(false);
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.answer(true);
  await expect.poll(() => begun.length).toBe(3);
  // From now on nothing is waited for, not even the third.
  void start();
  expect(begun).toHaveLength(4);
  begun[2]?.answer(true);
  begun[3]?.answer(true);
  expect(await Promise.all(all)).toEqual([false, true, true]);
});

test("a start that fails lets the next one begin, and another home waits for none", async () => {
  const failed = firstStart("/homes/two", () => Promise.reject(new Error("no program")));
  const { begun, start } = startsIn("/homes/two");
  const next = start();
  await expect(failed).rejects.toThrow("no program");
  await expect.poll(() => begun.length).toBe(1);
  const other = startsIn("/homes/three");
  const elsewhere = other.start();
  await expect.poll(() => other.begun.length).toBe(1);
  begun[0]?.answer(true);
  other.begun[0]?.answer(true);
  expect(await Promise.all([next, elsewhere])).toEqual([true, true]);
});
