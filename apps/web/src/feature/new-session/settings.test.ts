import { expect, test } from "vitest";
import { loadSettings, saveSettings } from "./settings.ts";

function storage(text: string | null = null) {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_name: string, value: string) => {
      kept = value;
    },
  };
}

test("what was saved is loaded again", () => {
  const place = storage();
  saveSettings({ runtime: "demo", cwd: "/code" }, place);
  expect(loadSettings(place)).toEqual({ runtime: "demo", cwd: "/code" });
});

test.each([null, "", "no json", "null", "[]", '{"runtime":1,"other":"x"}'])(
  "whatever is in the storage, settings come out: %j",
  (text) => {
    expect(loadSettings(storage(text))).toEqual({});
  },
);
