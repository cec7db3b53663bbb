import { expect, test } from "vitest";
import { JointWork } from "./joint-work.ts";

interface Begun {
  readonly items: readonly string[];
  readonly finish: () => void;
  readonly fail: (error: unknown) => void;
}

/** Work that ends when the test says so; each item becomes itself in capitals, except for one named "late". */
function openWork(lanes: number, maxSize = 1000) {
  const begun: Begun[] = [];
  const joint = new JointWork<string, string>({
    lanes,
    maxSize,
    sizeOf: (item) => item.length,
    isRefused: (error) => error === "refused",
    work: (items) =>
      new Promise((resolve, reject) => {
        const outcomeOf = async (item: string): Promise<string> => {
          if (item === "late") throw new Error("too late");
          return item.toUpperCase();
        };
        const finish = () => resolve(Promise.allSettled(items.map(outcomeOf)));
        begun.push({ items, finish, fail: reject });
      }),
  });
  return { joint, begun };
}

/** Long enough for whatever needs no more than turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

test("what comes at once goes together, and what comes while all lanes are busy goes together next", async () => {
  const { joint, begun } = openWork(1);
  const first = [joint.do("a"), joint.do("b")];
  await settle();
  const next = [joint.do("c"), joint.do("d"), joint.do("e")];
  await settle();
  expect(begun.map(({ items }) => items)).toEqual([["a", "b"]]);
  begun[0]?.finish();
  expect(await Promise.all(first)).toEqual(["A", "B"]);
  await settle();
  expect(begun[1]?.items).toEqual(["c", "d", "e"]);
  begun[1]?.finish();
  expect(await Promise.all(next)).toEqual(["C", "D", "E"]);
});

test("a free lane is used at once while another is busy", async () => {
  const { joint, begun } = openWork(2);
  void joint.do("slow");
  await settle();
  const quick = joint.do("quick");
  await settle();
  begun[1]?.finish();
  expect(await quick).toBe("QUICK");
});

test("no statement takes more than its size, except for one item that is larger", async () => {
  const { joint, begun } = openWork(3, 4);
  const all = ["aa", "bb", "c", "larger", "d"].map((item) => joint.do(item));
  await settle();
  expect(begun.map(({ items }) => items)).toEqual([["aa", "bb"], ["c"], ["larger"]]);
  for (const { finish } of begun) finish();
  await settle();
  begun[3]?.finish();
  expect(await Promise.all(all)).toEqual(["AA", "BB", "C", "LARGER", "D"]);
});

test("an item that fails leaves the others their outcome", async () => {
  const { joint, begun } = openWork(1);
  const [good, late] = [joint.do("good"), joint.do("late")];
  await settle();
  begun[0]?.finish();
  await expect(late).rejects.toThrow("too late");
  expect(await good).toBe("GOOD");
});

test("where all of it is refused because of one, each is done alone", async () => {
  const { joint, begun } = openWork(1);
  const [bad, good] = [joint.do("bad"), joint.do("good")];
  const outcomes = Promise.allSettled([bad, good]);
  await settle();
  begun[0]?.fail("refused");
  await settle();
  begun[1]?.fail("refused");
  await settle();
  begun[2]?.finish();
  expect(await outcomes).toEqual([
    { status: "rejected", reason: "refused" },
    { status: "fulfilled", value: "GOOD" },
  ]);
  expect(begun.map(({ items }) => items)).toEqual([["bad", "good"], ["bad"], ["good"]]);
});

test("where the database is away all of it fails, and the lane is free again", async () => {
  const { joint, begun } = openWork(1);
  const outcomes = Promise.allSettled(["a", "b"].map((item) => joint.do(item)));
  await settle();
  begun[0]?.fail("away");
  const failed = { status: "rejected", reason: "away" };
  expect(await outcomes).toEqual([failed, failed]);
  const next = joint.do("c");
  await settle();
  begun[1]?.finish();
  expect(await next).toBe("C");
});
