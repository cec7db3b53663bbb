import { expect, test } from "vitest";
import { loadDraft, saveDraft } from "./draft.ts";

function storage(limit = Infinity) {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    removeItem: (name: string) => void kept.delete(name),
    setItem: (name: string, value: string) => {
      if (value.length > limit) throw new DOMException("full", "QuotaExceededError");
      kept.set(name, value);
    },
  };
}

test("each session has a draft of its own", () => {
  const place = storage();
  saveDraft({ id: "a", text: "for a" }, place);
  saveDraft({ id: "b", text: "for b" }, place);
  expect(loadDraft("a", place)).toBe("for a");
  expect(loadDraft("c", place)).toBe("");
});

test("an empty draft leaves nothing behind", () => {
  const place = storage();
  saveDraft({ id: "a", text: "words" }, place);
  saveDraft({ id: "a", text: "" }, place);
  expect(place.kept.size).toBe(0);
});

test("a storage that is full breaks nothing, and keeps no half of the truth", () => {
  const place = storage(5);
  saveDraft({ id: "a", text: "short" }, place);
  saveDraft({ id: "a", text: "much too long" }, place);
  expect(loadDraft("a", place)).toBe("");
});
