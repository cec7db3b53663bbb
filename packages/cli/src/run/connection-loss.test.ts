import { createStore } from "@turnwire/base";
import { initialState } from "@turnwire/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SessionView } from "@turnwire/client";
import { watchForLoss } from "./connection-loss.ts";

function fakeSession() {
  const view = (status: SessionView["connection"]["status"]): SessionView => ({
    session: initialState(),
    connection: { status, attempt: 0 },
    sending: {},
    requests: {},
    isCancelling: false,
  });
  const store = createStore(view("live"), {
    onListenerError: (error) => expect(error).toBeUndefined(),
  });
  return {
    id: "abc",
    getState: () => store.get(),
    subscribe: (listener: () => void) => store.subscribe(listener),
    become: (status: SessionView["connection"]["status"]) => store.set(view(status)),
  };
}

describe("a server that goes away", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test("is waited for as long as it may take to restart", async () => {
    const session = fakeSession();
    const { lost, release } = watchForLoss(session, 1000);
    const onLost = vi.fn<(error: unknown) => void>();
    lost.catch(onLost);
    session.become("waiting");
    await vi.advanceTimersByTimeAsync(900);
    session.become("connecting");
    session.become("live");
    session.become("waiting");
    await vi.advanceTimersByTimeAsync(900);
    expect(onLost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(onLost).toHaveBeenCalledOnce();
    await expect(lost).rejects.toThrow("The server does not answer any more; session abc");
    release();
  });

  test("is not waited for after the release", async () => {
    const session = fakeSession();
    const { lost, release } = watchForLoss(session, 1000);
    const onLost = vi.fn<(error: unknown) => void>();
    lost.catch(onLost);
    session.become("waiting");
    release();
    await vi.advanceTimersByTimeAsync(5000);
    expect(onLost).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
