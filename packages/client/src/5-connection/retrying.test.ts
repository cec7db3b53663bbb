import { describe, expect, test } from "vitest";
import { wireError } from "@turnwire/protocol";
import { createHastyPlatform } from "../test-support/hasty-platform.ts";
import { ManualPlatform } from "../test-support/manual-platform.ts";
import { ClientError } from "./client-error.ts";
import { retrying } from "./retrying.ts";

/** A call that fails with each error in turn, then answers. */
function failingWith(...errors: unknown[]) {
  let calls = 0;
  return {
    count: () => calls,
    call: async () => {
      const error = errors[calls++];
      if (error) throw error;
      return "answer";
    },
  };
}

const network = new ClientError("network", "cut");

function refusedWith(status: number): ClientError {
  return new ClientError("protocol", `${status}`, { status });
}

describe("a call that is harmless to repeat", () => {
  test.each([
    ["a broken line", network],
    ["a timeout", new ClientError("timeout", "late")],
    ["429", refusedWith(429)],
    ["a bare 502", refusedWith(502)],
    [
      "what the server calls retryable",
      new ClientError("wire", "busy", { status: 503, error: wireError("overloaded", "busy") }),
    ],
  ])("is repeated after %s", async (_name, error) => {
    const { platform } = createHastyPlatform();
    const { call, count } = failingWith(error);
    expect(await retrying(platform, { attempts: 3 }, call)).toBe("answer");
    expect(count()).toBe(2);
  });

  test.each([
    ["a bare 404", refusedWith(404)],
    ["an answer in other words than ours", new ClientError("protocol", "html")],
    ["the caller's giving up", new ClientError("aborted", "enough")],
    [
      "what the server says will not pass",
      new ClientError("wire", "none", {
        status: 503,
        error: wireError("runtime_unavailable", "No agent is installed."),
      }),
    ],
    ["a bug", new TypeError("undefined is not a function")],
  ])("is not repeated after %s", async (_name, error) => {
    const { platform } = createHastyPlatform();
    const { call, count } = failingWith(error);
    await expect(retrying(platform, { attempts: 3 }, call)).rejects.toBe(error);
    expect(count()).toBe(1);
  });

  test("waits longer each time and gives up after the last try", async () => {
    const { platform, waits } = createHastyPlatform();
    const { call, count } = failingWith(...Array.from({ length: 9 }, () => network));
    await expect(retrying(platform, { attempts: 4 }, call)).rejects.toBe(network);
    expect(count()).toBe(4);
    expect(waits).toEqual([125, 250, 500]);
  });

  test("waits as long as the server asks", async () => {
    const { platform, waits } = createHastyPlatform();
    const limited = new ClientError("protocol", "slow", { status: 429, retryAfterMs: 5_000 });
    await retrying(platform, { attempts: 2 }, failingWith(limited).call);
    expect(waits).toEqual([5_125]);
  });

  test("is given up while it waits when the caller says so, and leaves no timer", async () => {
    const manual = new ManualPlatform();
    const abort = new AbortController();
    const trying = retrying(
      manual.platform,
      { attempts: 3, signal: abort.signal },
      failingWith(network).call,
    );
    await Promise.resolve();
    abort.abort();
    await expect(trying).rejects.toMatchObject({ code: "aborted" });
    expect(manual.timerCount).toBe(0);
  });
});
