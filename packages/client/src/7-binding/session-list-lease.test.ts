import { describe, expect, test } from "vitest";
import { createClient } from "../client.ts";
import { holdSessionList } from "./session-list-lease.ts";

/** A client whose server never answers, and what still waits for it. */
function createWaitingClient() {
  let waiting = 0;
  const client = createClient({
    url: "http://nowhere.test",
    transport: "sse",
    fetch: (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        waiting += 1;
        signal.addEventListener("abort", () => {
          waiting -= 1;
          reject(new Error("given up"));
        });
      }),
  });
  return { client, waiting: () => waiting };
}

describe("a list of sessions that many hold", () => {
  test("is one for all who ask the same, and another for who asks something else", () => {
    const { client, waiting } = createWaitingClient();
    const leases = [{ limit: 5 }, { limit: 5 }, { limit: 6 }].map((query) =>
      holdSessionList(client, query),
    );
    const [first, second, other] = leases;
    expect(second?.list).toBe(first?.list);
    expect(other?.list).not.toBe(first?.list);
    expect(waiting()).toBe(2);
    for (const { release } of leases) release();
    expect(waiting()).toBe(0);
  });

  test("is closed with its last holder, and opened again by the next", () => {
    const { client, waiting } = createWaitingClient();
    const first = holdSessionList(client, {});
    const second = holdSessionList(client, {});
    first.release();
    const third = holdSessionList(client, {});
    expect(third.list).toBe(second.list);
    second.release();
    expect(waiting()).toBe(1);
    third.release();
    expect(waiting()).toBe(0);
    const fourth = holdSessionList(client, {});
    expect(fourth.list).not.toBe(first.list);
    fourth.release();
  });

  test("stays open for the others when one holder releases it twice", () => {
    const { client, waiting } = createWaitingClient();
    const first = holdSessionList(client, {});
    const second = holdSessionList(client, {});
    first.release();
    first.release();
    expect(waiting()).toBe(1);
    second.release();
    expect(waiting()).toBe(0);
  });
});
