import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { FailureLimit } from "./failure-limit.ts";

function limitOf(perMinute: number, clock = new ManualClock()): FailureLimit {
  return new FailureLimit({ perMinute, clock, onError: () => undefined });
}

describe("the limit on failures", () => {
  test("counts each address on its own, and forgets after a minute", async () => {
    const clock = new ManualClock();
    const limit = limitOf(2, clock);
    expect(await limit.add("192.0.2.1")).toBe(0);
    expect(await limit.add("192.0.2.1")).toBe(0);
    expect(await limit.add("192.0.2.1")).toBe(60);
    expect(await limit.add("192.0.2.2")).toBe(0);
    await clock.advance(60_000);
    expect(await limit.add("192.0.2.1")).toBe(0);
  });

  test("keeps no one out for longer when the clock is set back", async () => {
    const clock = new ManualClock();
    const limit = limitOf(1, clock);
    await limit.add("192.0.2.1");
    clock.step(-3_600_000);
    expect(await limit.add("192.0.2.1")).toBe(60);
    await clock.advance(60_000);
    expect(await limit.add("192.0.2.1")).toBe(0);
  });

  test("takes an IPv4 address written as IPv6 for the same, and a /64 for one address", async () => {
    const limit = limitOf(1);
    await limit.add("::ffff:192.0.2.1");
    expect(await limit.add("192.0.2.1")).toBe(60);
    await limit.add("2001:db8:1:2:aaaa::1");
    expect(await limit.add("2001:db8:1:2:bbbb::9")).toBe(60);
    expect(await limit.add("2001:db8:1:3::1")).toBe(0);
  });

  test("remembers no more than ten thousand addresses: the oldest are forgotten first", async () => {
    const limit = limitOf(1);
    const address = (index: number): string =>
      `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    for (let index = 0; index < 10_001; index++) await limit.add(address(index));
    expect(await limit.add(address(1))).toBe(60);
    expect(await limit.add(address(10_000))).toBe(60);
    expect(await limit.add(address(0))).toBe(0);
  });
});
