import { expect, test } from "vitest";
import { unsentEntry } from "./unsent-entry.ts";

function createStorage(limit = Number.POSITIVE_INFINITY) {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (text.length > limit) throw new Error("full");
      texts.set(name, text);
    },
    removeItem: (name: string) => void texts.delete(name),
  };
}

const place = { sessionId: "s", componentId: "c" };

test("what was entered is there for the next page, for this component of this session", () => {
  const storage = createStorage();
  unsentEntry(place, storage).save({ version: "2.0.0" });
  expect(unsentEntry(place, storage).load()).toEqual({ version: "2.0.0" });
  expect(unsentEntry({ ...place, componentId: "d" }, storage).load()).toBeUndefined();
  expect(unsentEntry({ ...place, sessionId: "t" }, storage).load()).toBeUndefined();
});

test("what was sent is forgotten, and nothing is left behind", () => {
  const storage = createStorage();
  const entry = unsentEntry(place, storage);
  entry.save("text");
  entry.save(undefined);
  expect(entry.load()).toBeUndefined();
  expect(storage.texts.size).toBe(0);
});

test("entries that were changed longest ago are forgotten, so that removed components leave no pile", () => {
  const storage = createStorage();
  const entry = (index: number) => unsentEntry({ ...place, componentId: `c${index}` }, storage);
  for (let index = 0; index < 50; index += 1) entry(index).save(index);
  entry(0).save("changed");
  entry(50).save(50);
  expect(entry(1).load()).toBeUndefined();
  expect([entry(0).load(), entry(2).load(), entry(50).load()]).toEqual(["changed", 2, 50]);
});

test("a storage that is full or holds something else breaks nothing", () => {
  const full = createStorage(10);
  expect(() => unsentEntry(place, full).save("a longer text than fits")).not.toThrow();
  const odd = createStorage();
  for (const text of ["{", "{}", '["c"]', "null", "1"]) {
    odd.setItem("turnwire.unsent.s", text);
    expect(unsentEntry(place, odd).load()).toBeUndefined();
  }
});

test("a page without storage has it until it ends", () => {
  unsentEntry(place).save(["a"]);
  expect(unsentEntry(place).load()).toEqual(["a"]);
  unsentEntry(place).save(undefined);
  expect(unsentEntry(place).load()).toBeUndefined();
});
