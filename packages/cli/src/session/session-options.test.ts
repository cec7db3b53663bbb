import { expect, test } from "vitest";
import { parseArguments } from "../option/argument.ts";
import { commandOptions } from "../option/option-table.ts";
import { newSessionFrom } from "./session-options.ts";

function wishOf(...args: readonly string[]) {
  const { values } = parseArguments(commandOptions.chat, args, { env: {} });
  return newSessionFrom(values, { cwd: "/code" }).wish;
}

test.each([
  [[], "/code"],
  [["--url", "http://127.0.0.1:4747"], "/code"],
  [["--url", "http://[::1]:4747/below"], "/code"],
  [["--url", "http://localhost:4747"], "/code"],
  [["--url", "https://turnwire.example"], undefined],
])("with %j the agent works here where the server is on this machine", (args, here) => {
  const { values } = parseArguments(commandOptions.chat, args, { env: {} });
  expect(newSessionFrom(values, { cwd: "/code" }).here).toBe(here);
});

test("a sandbox has the network unless it is refused, and without network there is a sandbox", () => {
  expect(wishOf()).not.toHaveProperty("sandbox");
  expect(wishOf("--sandbox")).toEqual({ sandbox: { network: true } });
  expect(wishOf("--sandbox", "--no-network")).toEqual({ sandbox: { network: false } });
  expect(wishOf("--no-network")).toEqual({ sandbox: { network: false } });
});
