import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { StoreError } from "../store-error.ts";
import { WriteHealth } from "./write-health.ts";

const full = new StoreError("unavailable", "no space left");

function openHealth() {
  const clock = new ManualClock();
  const disk = { probes: 0, outcome: (): Promise<unknown> => Promise.resolve() };
  const probe = (): Promise<unknown> => {
    disk.probes += 1;
    return disk.outcome();
  };
  return { clock, disk, health: new WriteHealth({ probe, clock }) };
}

describe("the health of writes", () => {
  test("is known without a probe for a second after a write", async () => {
    const { clock, disk, health } = openHealth();
    health.succeeded();
    await clock.advance(999);
    expect(await health.check()).toBeUndefined();
    expect(disk.probes).toBe(0);
    await clock.advance(1);
    expect(await health.check()).toBeUndefined();
    expect(disk.probes).toBe(1);
  });

  test("is bad after a failed write, until a write or a probe succeeds", async () => {
    const { clock, disk, health } = openHealth();
    health.failed(full);
    expect(await health.check()).toBe(full);
    health.succeeded();
    expect(await health.check()).toBeUndefined();
    health.failed(full);
    disk.outcome = () => Promise.reject(full);
    await clock.advance(1000);
    expect(await health.check()).toBe(full);
    disk.outcome = () => Promise.resolve();
    expect(await health.check()).toBe(full);
    await clock.advance(1000);
    expect(await health.check()).toBeUndefined();
    expect(health.failedWrites).toBe(2);
  });

  test("says nothing of a write that was refused for what it is", async () => {
    const { health } = openHealth();
    health.succeeded();
    health.failed(new StoreError("lease_lost", "somebody else has it"));
    expect(await health.check()).toBeUndefined();
    expect(health.failedWrites).toBe(0);
  });

  test("is asked of the disk once, however many want to know", async () => {
    const { disk, health } = openHealth();
    await Promise.all([health.check(), health.check(), health.check()]);
    expect(disk.probes).toBe(1);
  });

  test("is bad when the disk does not answer, and fine when it does again", async () => {
    const { clock, disk, health } = openHealth();
    disk.outcome = () => new Promise(() => undefined);
    const checking = health.check();
    await clock.advance(5000);
    expect(await checking).toMatchObject({ message: expect.stringContaining("5000 ms") });
    disk.outcome = () => Promise.resolve();
    await clock.advance(1000);
    expect(await health.check()).toBeUndefined();
  });

  test("is asked again after the clock was set back", async () => {
    const { clock, disk, health } = openHealth();
    health.failed(full);
    clock.step(-3_600_000);
    expect(await health.check()).toBeUndefined();
    expect(disk.probes).toBe(1);
  });
});
