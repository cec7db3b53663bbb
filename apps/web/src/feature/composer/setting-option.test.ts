import { expect, test } from "vitest";
import { modelOptions, modeOptions } from "./setting-option.ts";

test("models are offered by their names, with the default and the one in use", () => {
  const models = [{ id: "a", label: "Model A" }, { id: "b" }];
  expect(modelOptions({ models }, undefined).map(({ label }) => label)).toEqual([
    "Default model",
    "Model A",
    "b",
  ]);
  expect(modelOptions({ models }, "old").at(-1)).toEqual({ value: "old", label: "old" });
});

test("modes that never ask are marked, those that cannot be used are left out", () => {
  const capabilities = {
    permission_modes: ["default", "plan", "bypass"],
    admin_modes: ["bypass"],
    unavailable_modes: { plan: "not here" },
  };
  expect(modeOptions(capabilities, "default")).toEqual([
    { value: "default", label: "default" },
    { value: "bypass", label: "bypass (never asks, admins only)" },
  ]);
  expect(modeOptions(capabilities, undefined)[0]?.value).toBe("");
});
