import { accepted, type Result } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { DirectoryProbe } from "./directory-probe.ts";

test("a file system that hangs is waited for 2 s, asked once, and believed when it answers", async () => {
  const clock = new ManualClock();
  const answers: ((result: Result<string>) => void)[] = [];
  const probe = new DirectoryProbe(
    clock,
    () =>
      new Promise((answer) => {
        answers.push(answer);
      }),
  );
  const first = probe.open("/mnt/dead");
  const second = probe.open("/mnt/dead");
  await clock.advance(2000);
  expect(await first).toMatchObject({ error: { message: "Timed out reading /mnt/dead." } });
  expect(await second).toMatchObject({ ok: false });
  const third = probe.open("/mnt/dead");
  expect(answers).toHaveLength(1);
  answers[0]?.(accepted("/mnt/dead"));
  expect(await third).toEqual(accepted("/mnt/dead"));
  expect(clock.waiting).toBe(0);
});
