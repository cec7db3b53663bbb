import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VirtualTerminal } from "../test-support/virtual-terminal.ts";
import { type Foot, Screen } from "./screen.ts";

function footWith(text: string, live: readonly string[] = []): Foot {
  return { live, status: ["status"], input: { mark: "› ", text, cursor: text.length } };
}

function createScreen(size: { columns: number; rows: number }) {
  const terminal = new VirtualTerminal(size);
  return { terminal, screen: new Screen(terminal, () => terminal) };
}

describe("the screen", () => {
  test("prints lines above a foot that is redrawn each time", () => {
    const { terminal, screen } = createScreen({ columns: 40, rows: 10 });
    screen.draw(["first"], footWith("", ["half a li"]));
    screen.draw(["half a line", "second"], footWith("hel", ["next"]));
    expect(terminal.text).toBe("first\nhalf a line\nsecond\nnext\nstatus\n› hel");
    expect(terminal.cursor).toEqual({ row: 5, column: 5 });
  });

  test("puts the cursor where the person edits, also in an input of several rows", () => {
    const { terminal, screen } = createScreen({ columns: 10, rows: 10 });
    const text = "abcdefghijklmno";
    screen.draw([], { live: [], status: [], input: { mark: "› ", text, cursor: 9 } });
    expect(terminal.text).toBe("› abcdefg\nhijklmno");
    expect(terminal.cursor).toEqual({ row: 1, column: 2 });
    screen.draw(["line"], { live: [], status: [], input: { mark: "› ", text: "x", cursor: 0 } });
    expect(terminal.text).toBe("line\n› x");
  });

  test("shows the end of what does not fit", () => {
    const { terminal, screen } = createScreen({ columns: 20, rows: 5 });
    const live = Array.from({ length: 20 }, (_, index) => `live ${index}`);
    screen.draw(["line"], footWith("", live));
    screen.draw(["another"], footWith("", live));
    expect(terminal.text).toBe("line\nanother\nlive 18\nlive 19\nstatus\n›");
  });

  test("leaves nothing of the foot behind when it is cleared", () => {
    const { terminal, screen } = createScreen({ columns: 20, rows: 8 });
    screen.draw(["kept"], footWith("typing", ["live"]));
    screen.clear();
    expect(terminal.text).toBe("kept\n");
  });

  test("finds its foot again when the terminal became narrower", () => {
    const { terminal, screen } = createScreen({ columns: 40, rows: 20 });
    screen.draw(["kept"], footWith("some words", ["a live line of thirty letters"]));
    terminal.resize(12);
    screen.draw(["more"], footWith("", []));
    expect(terminal.text).toBe("kept\nmore\nstatus\n›");
  });

  test("counts a character of several parts as the terminal shows it", () => {
    const { terminal, screen } = createScreen({ columns: 14, rows: 9 });
    screen.draw([], footWith("", ["~  ⺀\u1112\u1175\u11c2   🆎 "]));
    screen.draw([], footWith(""));
    screen.clear();
    expect(terminal.text).toBe("");
  });

  test("keeps every printed line once and in order, whatever the foot does", () => {
    const foot = fc.record({
      live: fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 12 }),
      text: fc.string({ maxLength: 50 }),
      back: fc.nat(10),
    });
    const frames = fc.array(fc.tuple(fc.nat(4), foot), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(frames, fc.integer({ min: 12, max: 50 }), (all, columns) => {
        const { terminal, screen } = createScreen({ columns, rows: 9 });
        const printed: string[] = [];
        for (const [count, { live, text, back }] of all) {
          const lines = Array.from({ length: count }, (_, index) => `#${printed.length + index}`);
          printed.push(...lines);
          const input = { mark: "› ", text, cursor: Math.max(0, text.length - back) };
          screen.draw(lines, { live: live.map((each) => `~${each}`), status: ["= status"], input });
        }
        screen.clear();
        expect(terminal.text.trimEnd()).toBe(printed.join("\n"));
      }),
    );
  });
});
