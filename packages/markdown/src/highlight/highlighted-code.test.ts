import { describe, expect, test } from "vitest";
import { FakeWorker } from "../test-support/fake-worker.ts";
import { createHighlightedCode } from "./highlighted-code.ts";
import { createHighlighter } from "./highlighter.ts";
import { plainLines } from "./token.ts";
import { tokenLinesFrom } from "./tokenize.ts";

function setUp() {
  const worker = new FakeWorker();
  const highlighter = createHighlighter({ createWorker: () => worker });
  let tellChange = (): void => undefined;
  const code = createHighlightedCode(highlighter, () => tellChange());
  const answer = async (): Promise<void> => {
    const changed = new Promise<void>((resolve) => {
      tellChange = resolve;
    });
    worker.answer();
    await changed;
  };
  const close = (): void => {
    code.close();
    highlighter.close();
  };
  return { worker, code, answer, close };
}

describe("highlighted code", () => {
  test("is plain at first, and has tokens once they have come", async () => {
    const { code, answer, close } = setUp();
    const text = { text: "const a = 1;", language: "ts" };
    code.update(text);
    expect(code.linesFor(text)).toEqual(plainLines(text.text));
    await answer();
    expect(code.linesFor(text)).toEqual(tokenLinesFrom(text.text, "ts"));
    close();
  });

  test("keeps its tokens while it grows: only what is new is plain", async () => {
    const { code, answer, close } = setUp();
    const before = { text: "const a = 1;\nconst b", language: "ts", isOpen: true };
    code.update(before);
    await answer();
    const [first] = code.linesFor(before);
    const after = { ...before, text: "const a = 1;\nconst bc = 2;" };
    expect(code.linesFor(after)[0]).toBe(first);
    expect(code.linesFor(after).slice(1)).toEqual(plainLines("const bc = 2;"));
    close();
  });

  test("is passed over only a few times while it grows, and a last time at its end", async () => {
    const { worker, code, answer, close } = setUp();
    let text = "";
    for (let count = 0; count < 1_000; count += 1) {
      text += "const a = 1;\n";
      const asked = worker.requests.length;
      code.update({ text, language: "ts", isOpen: true });
      if (worker.requests.length > asked) await answer();
    }
    const passed = worker.requests.reduce((sum, { code: { length } }) => sum + length, 0);
    expect(passed).toBeLessThan(6 * text.length);
    code.update({ text, language: "ts", isOpen: false });
    await answer();
    expect(code.linesFor({ text, language: "ts" })).toEqual(tokenLinesFrom(text, "ts"));
    close();
  });

  test("shows no tokens of what it was before it was replaced", async () => {
    const { code, answer, close } = setUp();
    code.update({ text: "const a = 1;", language: "ts" });
    await answer();
    expect(code.linesFor({ text: "let b;", language: "ts" })).toEqual(plainLines("let b;"));
    expect(code.linesFor({ text: "const a = 1;", language: "py" })).toEqual(
      plainLines("const a = 1;"),
    );
    close();
  });
});
