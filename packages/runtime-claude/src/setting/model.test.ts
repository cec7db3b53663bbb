import { expect, test } from "vitest";
import { modelFromClaude } from "./model.ts";

test("a model's name, price and efforts are what the CLI states", () => {
  const model = modelFromClaude({
    value: "opus",
    resolvedModel: "claude-opus-5-5",
    displayName: "Opus",
    description: "Opus 5.5 · Best for everyday, complex tasks · $4/$20 per Mtok",
    supportsEffort: true,
    supportedEffortLevels: ["low", "high"],
  });
  expect(model).toEqual({
    id: "opus",
    resolved_id: "claude-opus-5-5",
    label: "Opus 5.5",
    description: "Best for everyday, complex tasks",
    price: { input_per_million_usd: 4, output_per_million_usd: 20 },
    efforts: ["low", "high"],
  });
});

test("the CLI's default is the default, under its own name", () => {
  const model = modelFromClaude({
    value: "default",
    resolvedModel: "claude-opus-5-5",
    displayName: "Default (recommended)",
    description: "Use the default model (currently Opus 5.5) · $4/$20 per Mtok",
    supportsEffort: true,
  });
  expect(model).toEqual({
    id: "default",
    resolved_id: "claude-opus-5-5",
    label: "Default (recommended)",
    description: "Use the default model (currently Opus 5.5)",
    price: { input_per_million_usd: 4, output_per_million_usd: 20 },
    is_default: true,
  });
});

test("a price with conditions stays in the description, and none is made up", () => {
  const tiered = "$0.10/$0.50 per Mtok ($0.50/$2.50 for prompts over 100k)";
  const haiku = {
    value: "haiku",
    displayName: "Haiku",
    description: `Haiku 5.5 · Fast · ${tiered}`,
  };
  expect(modelFromClaude(haiku)).toEqual({
    id: "haiku",
    label: "Haiku 5.5",
    description: `Fast · ${tiered}`,
    price: { input_per_million_usd: 0.1, output_per_million_usd: 0.5 },
    efforts: [],
  });
  const plain = { value: "custom", displayName: "custom", description: "Custom model" };
  expect(modelFromClaude(plain)).toEqual({
    id: "custom",
    label: "custom",
    description: "Custom model",
    efforts: [],
  });
});
