import { expect, test } from "vitest";
import { callbackWords } from "./callback-words.ts";

test("what was done in a component reads like words", () => {
  expect(callbackWords({ name: "plan_editor", action: "save_all" })).toBe("Plan editor: save all");
  expect(callbackWords({ name: "t", action: "Öffnen" })).toBe("T: Öffnen");
});
