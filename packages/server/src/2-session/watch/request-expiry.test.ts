import { draft, foldControl, initialControl } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { RequestExpiry } from "./request-expiry.ts";
import {
  eventsOf,
  everyCapability,
  openRequestDrafts,
  readyWith,
} from "../test-support/control.ts";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";

const TIMEOUT_MS = 60_000;

/** Requests that expire a minute after they were asked, on a host whose clock the test can set. */
function openExpiry() {
  const clock = new ManualClock();
  const expired: string[] = [];
  let errorMs = 0;
  const expires_at = new Date(clock.now() + TIMEOUT_MS).toISOString();
  const events = eventsOf(
    readyWith(everyCapability),
    draft("permission_request", { ...openRequestDrafts.permission.data, expires_at }),
  );
  const expiry = new RequestExpiry({
    clock: { now: () => clock.now() + errorMs, wait: clock.wait.bind(clock) },
    recorder: {
      control: events.reduce(foldControl, initialControl()),
      flush: () => undefined,
      record: () => ({ events: [], committed: Promise.resolve() }),
    },
    dispatch: {
      now: (effect) => {
        if (effect.type === "answer" && "correlation_id" in effect.answer)
          expired.push(effect.answer.correlation_id);
      },
    },
    runtime: new ScriptedRuntime(),
    acceptsCommands: () => true,
  });
  for (const event of events) expiry.observe(event);
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
