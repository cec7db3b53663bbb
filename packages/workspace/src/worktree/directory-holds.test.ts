import { expect, test } from "vitest";
import { DirectoryHolds } from "./directory-holds.ts";

test("a directory that is being removed cannot be held, nor what is in it, until that is over", async () => {
  const holds = new DirectoryHolds();
  let finish: () => void = () => undefined;
  const removing = holds.whileRemoving("/w/a", () => new Promise<void>((done) => (finish = done)));
  expect(holds.hold("/w/a")).toBeUndefined();
  expect(holds.hold("/w/a/packages/app")).toBeUndefined();
  expect(holds.hold("/w/ab")).toBeDefined();
  finish();
  await removing;
  expect(holds.hold("/w/a")).toBeDefined();
});

test("a directory that is held by two is held until both have let go", () => {
  const holds = new DirectoryHolds();
  const first = holds.hold("/w/a/part");
  const second = holds.hold("/w/a/part");
  expect(holds.isHeld("/w/a")).toBe(true);
  expect(holds.isHeld("/w/b")).toBe(false);
  first?.();
  expect(holds.isHeld("/w/a")).toBe(true);
  second?.();
  expect(holds.isHeld("/w/a")).toBe(false);
});
