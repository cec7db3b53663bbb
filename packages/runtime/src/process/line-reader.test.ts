import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { systemClock } from "@turnwire/base";
import { LineReader } from "./line-reader.ts";
import { linesOf } from "../test-support/child.ts";

const options = { clock: systemClock, maxLineBytes: 1024, drainMs: 1 };

/** A pipe that always has more, and counts what was taken from it. */
function endlessPipe() {
  const seen = { chunks: 0 };
  const stream = new Readable({
    highWaterMark: 64 * 1024,
    read() {
      seen.chunks += 1;
      this.push(Buffer.from(`${"x".repeat(1023)}\n`));
    },
  });
  return { seen, stream };
}

describe("LineReader", () => {
  test("takes no more from the pipe than its reader takes from it", async () => {
    const { seen, stream } = endlessPipe();
    const lines = new LineReader(stream, options)[Symbol.asyncIterator]();
    for (let read = 0; read < 2000; read += 1) {
      await lines.next();
      expect(seen.chunks).toBeLessThan(read + 200);
    }
    await lines.return(undefined);
    expect(stream.destroyed).toBe(true);
  });

  test("ends soon after the exit, though the pipe stays open", async () => {
    const stream = new Readable({ read() {} });
    const reader = new LineReader(stream, options);
    stream.push("one\ntwo");
    const lines = linesOf({ lines: reader });
    reader.markExited();
    expect(await lines).toEqual(["one", "two"]);
    expect(stream.destroyed).toBe(true);
  });

  test("reads what comes after the exit, as long as it comes", async () => {
    const stream = new Readable({ read() {} });
    const reader = new LineReader(stream, { ...options, drainMs: 20_000 });
    reader.markExited();
    const lines = reader[Symbol.asyncIterator]();
    for (const text of ["a", "b", "c"]) {
      const next = lines.next();
      stream.push(`${text}\n`);
      expect(await next).toEqual({ done: false, value: { type: "line", text } });
    }
    const end = lines.next();
    stream.push(null);
    expect(await end).toEqual({ done: true, value: undefined });
  });

  test("ends after the exit also when a grandchild floods the pipe for ever", async () => {
    const { stream } = endlessPipe();
    const reader = new LineReader(stream, options);
    reader.markExited();
    expect((await linesOf({ lines: reader })).length).toBeGreaterThan(1000);
    expect(stream.destroyed).toBe(true);
  });

  test("ends when the pipe breaks, with what it had", async () => {
    const stream = new Readable({ read() {} });
    const reader = new LineReader(stream, options);
    const lines = reader[Symbol.asyncIterator]();
    stream.push("whole\nhal");
    expect(await lines.next()).toMatchObject({ value: { text: "whole" } });
    const rest = lines.next();
    stream.destroy(new Error("EIO"));
    expect(await rest).toMatchObject({ value: { text: "hal" } });
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  });

  test("releases a pipe that is not read, and only of such a one", async () => {
    const unread = new Readable({ read() {} });
    new LineReader(unread, options).discard();
    expect(unread.destroyed).toBe(true);
    const { stream } = endlessPipe();
    const reader = new LineReader(stream, options);
    const lines = reader[Symbol.asyncIterator]();
    await lines.next();
    reader.discard();
    expect(stream.destroyed).toBe(false);
    await lines.return(undefined);
  });
});
