import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { StoreError } from "../../store-error.ts";
import { lockDataDirectory } from "./data-lock.ts";

test("of many who want a new directory at the same time one gets it, and the others learn that it is locked", async () => {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-lock-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const attempts = await Promise.allSettled(
    Array.from({ length: 10 }, () => lockDataDirectory(directory)),
  );
  const locks = attempts.flatMap((attempt) =>
    attempt.status === "fulfilled" ? [attempt.value] : [],
  );
  const codes = attempts.flatMap((attempt) =>
    attempt.status === "rejected" && attempt.reason instanceof StoreError
      ? [attempt.reason.code]
      : [],
  );
  expect(locks).toHaveLength(1);
  expect(codes).toEqual(Array.from({ length: 9 }, () => "locked"));
  for (const lock of locks) lock.release();
  (await lockDataDirectory(directory)).release();
});
