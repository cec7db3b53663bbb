import { expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { IdleWatch } from "./idle-watch.ts";

const idleMs = 1000;

function watched() {
  const clock = new ManualClock();
  const seen = { canHibernate: true, idle: 0 };
  const onIdle = (): void => {
    seen.idle += 1;
  };
  const watch = new IdleWatch({ clock, idleMs, canHibernate: () => seen.canHibernate, onIdle });
  return { clock, seen, watch };
}

test("work that ends without a sign is noticed one idle time later", async () => {
  const { clock, seen, watch } = watched();
  seen.canHibernate = false;
  watch.touch();
  await clock.advance(idleMs);
  expect(seen.idle).toBe(0);
  seen.canHibernate = true;
  await clock.advance(idleMs);
  expect(seen.idle).toBe(1);
});

test("nothing is idle while somebody is attached, and it is once the last one has left", async () => {
  const { clock, seen, watch } = watched();
  watch.touch();
  const [first, second] = [watch.attach(), watch.attach()];
  first();
  first();
  await clock.advance(idleMs);
  expect(seen.idle).toBe(0);
  second();
  await clock.advance(idleMs);
  expect(seen.idle).toBe(1);
});
