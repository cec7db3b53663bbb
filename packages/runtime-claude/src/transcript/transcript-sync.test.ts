import { describe, expect, test } from "vitest";
import { planSync } from "./transcript-sync.ts";

const line = (id: string) => ({ id, text: `{"uuid":"${id}"}` });
const remark = { text: '{"type":"last-prompt"}' };

describe("before a conversation continues on a machine", () => {
  test("what only the machine has goes to the store", () => {
    const local = [line("a"), remark, line("b")];
    expect(planSync(local, undefined)).toEqual({ type: "push", lines: local });
    expect(planSync([...local, line("c"), remark], local)).toEqual({
      type: "push",
      lines: [line("c"), remark],
    });
  });

  test("what only the store has comes to the machine", () => {
    const whole = { type: "pull", isDiverged: false };
    expect(planSync(undefined, [line("a")])).toEqual(whole);
    expect(planSync([line("a")], [line("a"), line("b")])).toEqual(whole);
  });

  test("where each has lines of its own, the store is right and the machine's are kept aside", () => {
    expect(planSync([line("a"), line("b")], [line("a"), line("c")])).toEqual({
      type: "pull",
      isDiverged: true,
    });
  });

  test("lines without an id alone move nothing, whichever side has them", () => {
    expect(planSync([line("a"), remark], [line("a")])).toEqual({ type: "same" });
    expect(planSync([line("a")], [remark, line("a"), remark])).toEqual({ type: "same" });
  });

  test("a conversation that neither has is missing", () => {
    expect(planSync(undefined, undefined)).toEqual({ type: "missing" });
    expect(planSync([], [])).toEqual({ type: "missing" });
  });
});
