import { describe, expect, test } from "vitest";
import { createStore } from "./observable-store.ts";

describe("an observable store", () => {
  test("gives its value and calls each listener after a change", () => {
    const store = createStore(1);
    const seen: number[] = [];
    store.subscribe(() => seen.push(store.get()));
    store.set(2);
    store.set(3);
    expect(store.get()).toBe(3);
    expect(seen).toEqual([2, 3]);
  });

  test("is silent when the value stays the same", () => {
    const store = createStore(Number.NaN);
    let calls = 0;
    store.subscribe(() => (calls += 1));
    store.set(Number.NaN);
    expect(calls).toBe(0);
  });

  test("calls a listener as often as it was subscribed, and no more after it left", () => {
    const store = createStore("a");
    let calls = 0;
    const listener = (): void => {
      calls += 1;
    };
    const leaveFirst = store.subscribe(listener);
    const leaveSecond = store.subscribe(listener);
    store.set("b");
    leaveFirst();
    leaveFirst();
    store.set("c");
    leaveSecond();
    store.set("d");
    expect(calls).toBe(3);
  });

  test("a listener that another one removed during the same change is not called", () => {
    const store = createStore(0);
    let calls = 0;
    const leave: (() => void)[] = [];
    store.subscribe(() => leave[0]?.());
    leave.push(store.subscribe(() => (calls += 1)));
    store.set(1);
    expect(calls).toBe(0);
  });

  test("one that throws keeps no other from being called", () => {
    const reported: unknown[] = [];
    const store = createStore(0, { onListenerError: (error) => reported.push(error) });
    let calls = 0;
    const failure = new Error("listener");
    store.subscribe(() => {
      throw failure;
    });
    store.subscribe(() => (calls += 1));
    store.set(1);
    expect(calls).toBe(1);
    expect(reported).toEqual([failure]);
  });

  test("without a place for errors, set throws them after all were called", () => {
    const store = createStore(0);
    let calls = 0;
    store.subscribe(() => {
      throw new Error("listener");
    });
    store.subscribe(() => (calls += 1));
    expect(() => store.set(1)).toThrow("listener");
    expect([calls, store.get()]).toEqual([1, 1]);
  });
});
