import { noCapabilities, type RuntimeInfo } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { chosenRuntime } from "./chosen-runtime.ts";

function runtime(name: string, facts: Partial<RuntimeInfo> = {}): RuntimeInfo {
  return {
    name,
    label: name,
    is_default: false,
    is_available: true,
    connection: { status: "connected" },
    capabilities: noCapabilities,
    ...facts,
  };
}

const missing = { is_available: false, connection: { status: "not_connected" } } as const;

test("the one chosen last is used again, else the server's default", () => {
  const runtimes = [runtime("claude", { is_default: true }), runtime("demo")];
  const chosen = (wanted?: string) => chosenRuntime(runtimes, { wanted, isWantedNow: false })?.name;
  expect(chosen()).toBe("claude");
  expect(chosen("demo")).toBe("demo");
  expect(chosen("gone")).toBe("claude");
});

test("one that can no longer be used is not chosen again by itself, but stays chosen by hand", () => {
  const runtimes = [runtime("claude", missing), runtime("demo", { is_default: true })];
  expect(chosenRuntime(runtimes, { wanted: "claude", isWantedNow: false })?.name).toBe("demo");
  expect(chosenRuntime(runtimes, { wanted: "claude", isWantedNow: true })?.name).toBe("claude");
});
