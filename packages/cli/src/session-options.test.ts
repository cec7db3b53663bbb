import { expect, test } from "vitest";
import { parseArguments } from "./argument.ts";
import { textOption } from "./option.ts";
import { newSessionFrom, sessionOptions } from "./session-options.ts";

const table = { ...sessionOptions, url: textOption({ argument: "URL", description: "" }) };

function wishOf(...args: readonly string[]) {
  return newSessionFrom(parseArguments(table, args, { env: {} }).values, { cwd: "/code" }).wish;
}

test("a sandbox has the network unless it is refused, and without network there is a sandbox", () => {
  expect(wishOf()).not.toHaveProperty("sandbox");
  expect(wishOf("--sandbox")).toEqual({ sandbox: { network: true } });
  expect(wishOf("--sandbox", "--no-network")).toEqual({ sandbox: { network: false } });
  expect(wishOf("--no-network")).toEqual({ sandbox: { network: false } });
});
