import { describe, expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

describe("a semaphore", () => {
  test("gives out as many permits as its limit", () => {
    const semaphore = new Semaphore(2);
    expect([semaphore.tryAcquire(), semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([
      true,
      true,
      false,
    ]);
    expect(semaphore).toMatchObject({ limit: 2, taken: 2, waiting: 0 });
    semaphore.release();
    expect(semaphore.taken).toBe(1);
  });

  test("hands a permit on in the order of waiting, and nothing slips in between", async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const order: string[] = [];
    const waiters = ["first", "second"].map((name) =>
      semaphore.acquire().then(() => order.push(name)),
    );
    expect(semaphore.waiting).toBe(2);
    semaphore.release();
    expect(semaphore.tryAcquire()).toBe(false);
    await waiters[0];
    expect(order).toEqual(["first"]);
    semaphore.release();
    await waiters[1];
    expect(order).toEqual(["first", "second"]);
    expect(semaphore).toMatchObject({ taken: 1, waiting: 0 });
  });

  test("lets a waiter leave when its signal aborts, and passes the permit to the next", async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const abort = new AbortController();
    const leaving = semaphore.acquire(abort.signal);
    const staying = semaphore.acquire();
    abort.abort(new Error("left"));
    await expect(leaving).rejects.toThrow("left");
    semaphore.release();
    await staying;
    expect(semaphore).toMatchObject({ taken: 1, waiting: 0 });
  });

  test("refuses an aborted signal even while a permit is free", async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.acquire(AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
    expect(semaphore.taken).toBe(0);
  });

  test("an abort after the permit was handed over changes nothing", async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire();
    const abort = new AbortController();
    const acquired = semaphore.acquire(abort.signal);
    semaphore.release();
    abort.abort(new Error("too late"));
    await acquired;
    expect(semaphore.taken).toBe(1);
  });

  test("releases what an action held, also when the action fails", async () => {
    const semaphore = new Semaphore(1);
    await expect(
      semaphore.run(() => {
        throw new Error("failed");
      }),
    ).rejects.toThrow("failed");
    expect(await semaphore.run(() => semaphore.taken)).toBe(1);
    expect(semaphore.taken).toBe(0);
  });
});
