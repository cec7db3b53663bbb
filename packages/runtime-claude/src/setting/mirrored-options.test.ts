import { expect, test } from "vitest";
import { mirroredOptions } from "./mirrored-options.ts";

test("a mirrored process writes down what is said before the model hears it, and hands it over at once", () => {
  const store = { append: async () => undefined, load: async () => null };
  expect(mirroredOptions({ env: { HOME: "/home" } }, store)).toMatchObject({
    env: { HOME: "/home", CLAUDE_CODE_EAGER_FLUSH: "1" },
    sessionStore: store,
    sessionStoreFlush: "eager",
  });
});
