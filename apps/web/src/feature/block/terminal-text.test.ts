import { describe, expect, test } from "vitest";
import { plainTerminalText, terminalLines } from "./terminal-text.ts";

const escape = String.fromCodePoint(0x1b);
const bell = String.fromCodePoint(0x07);

describe("terminalLines", () => {
  test("plain output is its lines, without an empty one at the end", () => {
    expect(terminalLines("one\r\n\ntwo\n")).toEqual([[{ text: "one" }], [], [{ text: "two" }]]);
  });

  test("colours and weights become spans", () => {
    const output = `${escape}[1;31mfailed${escape}[0m and ${escape}[42mgood${escape}[0m`;
    expect(terminalLines(output)).toEqual([
      [
        { text: "failed", color: "red", isBold: true },
        { text: " and " },
        { text: "good", background: "green" },
      ],
    ]);
  });

  test("a colour continues over lines until it is reset", () => {
    expect(terminalLines(`${escape}[33ma\nb${escape}[0mc`)).toEqual([
      [{ text: "a", color: "yellow" }],
      [{ text: "b", color: "yellow" }, { text: "c" }],
    ]);
  });

  test.each([
    [`${escape}[38;5;196mx`, "red"],
    [`${escape}[38;5;46mx`, "green"],
    [`${escape}[38;5;240mx`, "black"],
    [`${escape}[38;2;80;120;250mx`, "blue"],
    [`${escape}[38;2;250;250;240mx`, "white"],
    [`${escape}[95mx`, "magenta"],
  ])("%j is shown in the nearest colour of the theme: %s", (output, color) => {
    expect(terminalLines(output)).toEqual([[{ text: "x", color }]]);
  });

  test("reversed text swaps its colours", () => {
    expect(terminalLines(`${escape}[7;31mx`)).toEqual([
      [{ text: "x", color: "black", background: "red" }],
    ]);
  });

  test("a line of progress is what it was last", () => {
    const output = "10%\r50%\r100%\rdone\nnext\n";
    expect(plainTerminalText(output)).toBe("done\nnext");
  });

  test("a carriage return at the end takes nothing away", () => {
    expect(plainTerminalText("kept\r")).toBe("kept");
  });

  test("lines that are written over from below are as they were last", () => {
    const output = `a 1\nb 1\n${escape}[2A${escape}[2Ka 2\n${escape}[2Kb 2\n`;
    expect(plainTerminalText(output)).toBe("a 2\nb 2");
  });

  test("titles, links and other commands leave no trace", () => {
    const link = `${escape}]8;;https://example.com${bell}text${escape}]8;;${bell}`;
    expect(plainTerminalText(`${escape}]0;title${bell}${escape}[?25l${link}${escape}(B`)).toBe(
      "text",
    );
  });

  test("markup is text", () => {
    expect(terminalLines(`${escape}[31m<img src=x onerror=alert(1)>`)).toEqual([
      [{ text: "<img src=x onerror=alert(1)>", color: "red" }],
    ]);
  });

  test("a sequence that was cut off does not hide what came before", () => {
    expect(plainTerminalText(`text ${escape}[3`)).toContain("text ");
  });
});
