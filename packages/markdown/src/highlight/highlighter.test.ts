import { describe, expect, test, vi } from "vitest";
import { maximumHighlightLength } from "../tree/limit.ts";
import { FakeWorker } from "../test-support/fake-worker.ts";
import { createHighlighter } from "./highlighter.ts";
import { plainLines } from "./token.ts";
import { tokenLinesFrom } from "./tokenize.ts";

function setUp() {
  const workers: FakeWorker[] = [];
  const highlighter = createHighlighter({
    createWorker: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
  });
  const newest = (): FakeWorker => {
    const worker = workers.at(-1);
    if (worker === undefined) throw new Error("No worker was started.");
    return worker;
  };
  return { workers, highlighter, newest };
}

describe("a highlighter", () => {
  test("answers with the tokens its worker found", async () => {
    const { highlighter, newest } = setUp();
    const lines = highlighter.highlight("const a = 1;", "ts");
    newest().answer();
    expect(await lines).toEqual(tokenLinesFrom("const a = 1;", "ts"));
    highlighter.close();
  });

  test("asks once for code that it has seen, or that is on its way", async () => {
    const { highlighter, newest } = setUp();
    const both = [highlighter.highlight("a", "ts"), highlighter.highlight("a", "ts")];
    newest().answer();
    await Promise.all(both);
    await highlighter.highlight("a", "ts");
    expect(newest().requests).toHaveLength(1);
    highlighter.close();
  });

  test("never begins what is not wanted any more", async () => {
    const { highlighter, newest } = setUp();
    const stale = new AbortController();
    const first = highlighter.highlight("first", "ts");
    const second = highlighter.highlight("second", "ts", { signal: stale.signal });
    const third = highlighter.highlight("third", "ts");
    stale.abort();
    expect(await second).toEqual(plainLines("second"));
    newest().answer();
    await first;
    newest().answer();
    await third;
    expect(newest().requests.map(({ code }) => code)).toEqual(["first", "third"]);
    highlighter.close();
  });

  test("leaves code plain that is long, or in no language, without asking", async () => {
    const { highlighter, workers } = setUp();
    const long = "a".repeat(maximumHighlightLength + 1);
    expect(await highlighter.highlight(long, "ts")).toEqual(plainLines(long));
    expect(await highlighter.highlight("a\nb", undefined)).toEqual(plainLines("a\nb"));
    expect(workers).toHaveLength(0);
  });

  test("leaves code plain where no worker can be started", async () => {
    const without = createHighlighter();
    expect(await without.highlight("a", "ts")).toEqual(plainLines("a"));
    const forbidden = createHighlighter({
      createWorker: () => {
        throw new Error("A policy forbids workers.");
      },
    });
    expect(await forbidden.highlight("a", "ts")).toEqual(plainLines("a"));
  });

  test("replaces a worker that breaks, and continues", async () => {
    const { highlighter, workers, newest } = setUp();
    const first = highlighter.highlight("first", "ts");
    const second = highlighter.highlight("second", "ts");
    newest().fail();
    expect(await first).toEqual(plainLines("first"));
    expect(workers[0]?.isTerminated).toBe(true);
    newest().answer();
    expect(await second).toEqual(tokenLinesFrom("second", "ts"));
    highlighter.close();
  });

  test("ends a worker that takes too long", async () => {
    vi.useFakeTimers();
    try {
      const { highlighter, workers } = setUp();
      const lines = highlighter.highlight("a", "ts");
      vi.advanceTimersByTime(4_999);
      expect(workers[0]?.isTerminated).toBe(false);
      vi.advanceTimersByTime(1);
      expect(await lines).toEqual(plainLines("a"));
      expect(workers[0]?.isTerminated).toBe(true);
      highlighter.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test("answers plain what waits when it is closed", async () => {
    const { highlighter, newest } = setUp();
    const waiting = highlighter.highlight("a", "ts");
    highlighter.close();
    expect(await waiting).toEqual(plainLines("a"));
    expect(newest().isTerminated).toBe(true);
    expect(await highlighter.highlight("b", "ts")).toEqual(plainLines("b"));
  });

  test("takes no answer that it did not ask for", async () => {
    const { highlighter, newest } = setUp();
    const lines = highlighter.highlight("a", "ts");
    for (const data of [null, "text", { id: -1, lines: [] }, { id: 1 }]) {
      newest().dispatchEvent(new MessageEvent("message", { data }));
    }
    newest().answer();
    expect(await lines).toEqual(tokenLinesFrom("a", "ts"));
    highlighter.close();
  });
});
