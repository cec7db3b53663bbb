import { describe, expect, onTestFinished, test } from "vitest";
import { livingAgents, useClaudePlace } from "../test-support/claude-place.ts";

const place = useClaudePlace();

function openRuntime(...options: Parameters<typeof place.createRuntime>) {
  const runtime = place.createRuntime(...options);
  onTestFinished(async () => runtime.close?.());
  return runtime;
}

describe("before its first session, Claude", () => {
  test("is asked for its models and commands, without a word to the model and without a process left", async () => {
    const runtime = openRuntime();
    expect(runtime.capabilities.models).toEqual([]);
    await runtime.probe?.(new AbortController().signal);
    const { models, slash_commands } = runtime.capabilities;
    expect(models.find(({ is_default }) => is_default)).toMatchObject({
      id: "default",
      efforts: ["low", "medium", "high", "xhigh", "max"],
    });
    expect(models.find(({ id }) => id === "opus")).toMatchObject({
      resolved_id: expect.stringMatching(/^claude-opus-/),
      label: expect.stringMatching(/^Opus \d/),
      price: { input_per_million_usd: expect.any(Number) },
    });
    expect(slash_commands.map(({ name }) => name)).toContain("compact");
    expect(place.standin.requests).toEqual([]);
    expect(await livingAgents()).toEqual([]);
  });

  test("is not asked any longer when the server stops", async () => {
    const runtime = openRuntime();
    const stop = new AbortController();
    const probing = runtime.probe?.(stop.signal);
    stop.abort();
    await expect(probing).rejects.toThrow("aborted");
    expect(await livingAgents()).toEqual([]);
    expect(runtime.capabilities.models).toEqual([]);
  });

  test("keeps what it can do when its program does not start", async () => {
    const runtime = openRuntime({ executable: "/nowhere/claude" });
    await expect(runtime.probe?.(new AbortController().signal)).rejects.toThrow("was not found");
    expect(runtime.capabilities).toMatchObject({ interrupt: true, models: [] });
  });
});
