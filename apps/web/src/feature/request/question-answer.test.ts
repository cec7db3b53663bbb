import { expect, test } from "vitest";
import { answerFrom, noChoice, responseFrom, withLabel, withOther } from "./question-answer.ts";

const single = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
const several = { ...single, question: "Which ones?", multi_select: true };
const open = { question: "What?", options: [] };

test("of one question the last choice counts", () => {
  const choice = withLabel(withLabel(noChoice, "A", single), "B", single);
  expect(answerFrom(choice, single)).toBe("B");
});

test("several answers keep their order, and choosing again takes back", () => {
  const both = withLabel(withLabel(noChoice, "B", several), "A", several);
  expect(answerFrom(both, several)).toEqual(["B", "A"]);
  expect(answerFrom(withLabel(both, "B", several), several)).toEqual(["A"]);
});

test("words of one's own replace a single choice and join several", () => {
  const own = { ...withOther(withLabel(noChoice, "A", single), single), other: " C " };
  expect(answerFrom(own, single)).toBe("C");
  const also = { ...withOther(withLabel(noChoice, "A", several), several), other: "C" };
  expect(answerFrom(also, several)).toEqual(["A", "C"]);
  expect(answerFrom(withOther(also, several), several)).toEqual(["A"]);
});

test("a question without options is answered in words", () => {
  expect(answerFrom({ ...noChoice, other: "this" }, open)).toBe("this");
  expect(answerFrom(noChoice, open)).toBeUndefined();
});

test("nothing is answered while an answer is missing", () => {
  const chosen = withLabel(noChoice, "A", single);
  expect(responseFrom([chosen], [single, open])).toBeUndefined();
  expect(responseFrom([withOther(chosen, single)], [single])).toBeUndefined();
});

test("notes go beside the answers they belong to, empty ones nowhere", () => {
  const chosen = withLabel(noChoice, "A", single);
  expect(responseFrom([chosen], [single])).toEqual({ answers: { "Which?": "A" } });
  expect(responseFrom([{ ...chosen, note: " soon " }], [single])).toEqual({
    answers: { "Which?": "A" },
    notes: { "Which?": "soon" },
  });
});
