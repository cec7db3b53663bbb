import { expect, test } from "vitest";
import { effortOptions, firstMode, modelOptions, modeOptions } from "./setting-option.ts";

const models = [
  {
    id: "big-1",
    label: "Big",
    description: "For hard work",
    context_window: 200_000,
    price: { input_per_million_usd: 3, output_per_million_usd: 15 },
    efforts: ["low", "high"],
    is_default: true,
  },
  { id: "small", context_window: 1_000_000, efforts: [] },
];

test("a model is shown with what helps to choose it, as far as it is known", () => {
  expect(modelOptions({ models }, undefined)).toEqual([
    {
      value: "",
      label: "Big",
      description: "For hard work",
      facts: "200k context · $3 in, $15 out per million",
    },
    { value: "small", label: "small", description: undefined, facts: "1M context" },
  ]);
});

test("where no model is the default one, not to choose is a choice", () => {
  expect(modelOptions({ models: [{ id: "a" }] }, undefined)[0]).toEqual({
    value: "",
    label: "Default model",
  });
});

test("a model that is in use but not listed can still be seen", () => {
  expect(modelOptions({ models }, "old").at(-1)).toEqual({ value: "old", label: "old" });
});

test("only the effort levels of the model in use are offered, by plain names", () => {
  const values = (model?: string, current?: string) =>
    effortOptions({ models, efforts: ["low", "max"] }, model, current).map(({ value }) => value);
  expect(values()).toEqual(["", "low", "high"]);
  expect(values("small")).toEqual([]);
  expect(values("unknown")).toEqual(["", "low", "max"]);
  expect(values("big-1", "max")).toEqual(["", "low", "high", "max"]);
  expect(effortOptions({ models, efforts: [] }, "big-1", undefined)[1]?.label).toBe("Low effort");
});

const modes = {
  permission_modes: ["plan", "default", "bypass", "auto"],
  admin_modes: ["bypass"],
  unavailable_modes: { auto: "Not here" },
  mode_info: {
    plan: { label: "Plan only", description: "Changes nothing.", risk: "none" as const },
    default: { label: "Ask before changes", description: "Asks.", risk: "asks" as const },
    bypass: { label: "Full access", description: "Never asks.", risk: "full" as const },
  },
};

test("modes have plain names, those that cannot be used are left out, and full access is marked", () => {
  const options = modeOptions(modes, "default");
  expect(options.map(({ label }) => label)).toEqual([
    "Plan only",
    "Ask before changes",
    "Full access",
  ]);
  expect(options.map(({ isRisky }) => isRisky)).toEqual([false, false, true]);
});

test("no mode is offered only while none was chosen, and a mode without a name shows its id", () => {
  const { mode_info: _names, ...nameless } = modes;
  expect(modeOptions(nameless, undefined)[0]?.value).toBe("");
  expect(modeOptions(nameless, "plan")[0]).toMatchObject({ value: "plan", label: "plan" });
});

test("a new session begins with the first mode that lets a person decide", () => {
  expect(firstMode(modes)).toBe("default");
  expect(firstMode({ permission_modes: ["x"], admin_modes: [] })).toBeUndefined();
});
