import { expect, test } from "vitest";
import { RequestIds } from "./request-ids.ts";

test("a request has the id of its tool use", () => {
  expect(new RequestIds().take("toolu_1")).toBe("toolu_1");
});

test("a second request about a tool use has another id, also when an earlier run asked the first", () => {
  const ids = new RequestIds((id) => id === "old");
  expect([ids.take("new"), ids.take("new"), ids.take("new")]).toEqual(["new", "new-2", "new-3"]);
  expect(ids.take("old")).toBe("old-2");
});

test("a request about no tool use has an id of its own", () => {
  const ids = new RequestIds();
  expect(ids.take(undefined)).not.toBe(ids.take(undefined));
  expect(ids.take("")).not.toBe("");
});
