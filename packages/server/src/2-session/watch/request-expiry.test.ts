import { draft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { RequestExpiry } from "./request-expiry.ts";
import { eventsOf, openRequestDrafts } from "../test-support/control.ts";

const TIMEOUT_MS = 60_000;

/** Requests that expire a minute after they were asked, on a host whose clock the test can set. */
function openExpiry() {
  const clock = new ManualClock();
  const expired: string[] = [];
  let errorMs = 0;
  const expiry = new RequestExpiry({
    clock: { now: () => clock.now() + errorMs, wait: clock.wait.bind(clock) },
    request: () => undefined,
    onExpired: (id) => expired.push(id),
  });
  const expires_at = new Date(clock.now() + TIMEOUT_MS).toISOString();
  const [asked] = eventsOf(
    draft("permission_request", { ...openRequestDrafts.permission.data, expires_at }),
  );
  if (asked) expiry.observe(asked);
  return {
    clock,
    expired,
    setClock: (byMs: number) => {
      errorMs = byMs;
    },
  };
}

test.each([0, 3_600_000, -3_600_000])(
  "a request expires when its time has passed, though the clock is set by %i ms",
  async (byMs) => {
    const { clock, expired, setClock } = openExpiry();
    setClock(byMs);
    await clock.advance(TIMEOUT_MS - 1);
    expect(expired).toEqual([]);
    await clock.advance(1);
    expect(expired).toEqual(["r1"]);
  },
);
