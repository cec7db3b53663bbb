import { expect, test } from "vitest";
import { parseArguments } from "../option/argument.ts";
import { commandOptions } from "../option/option-table.ts";
import { newSessionFrom } from "./session-options.ts";

function wishOf(...args: readonly string[]) {
  const { values } = parseArguments(commandOptions.chat, args, { env: {} });
  return newSessionFrom(values, { cwd: "/code" }).wish;
}

test("a sandbox has the network unless it is refused, and without network there is a sandbox", () => {
  expect(wishOf()).not.toHaveProperty("sandbox");
  expect(wishOf("--sandbox")).toEqual({ sandbox: { network: true } });
  expect(wishOf("--sandbox", "--no-network")).toEqual({ sandbox: { network: false } });
  expect(wishOf("--no-network")).toEqual({ sandbox: { network: false } });
});
