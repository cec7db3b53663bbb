import { describe, expect, onTestFinished, test } from "vitest";
import { livingServers, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

const { signal } = new AbortController();

describe("before its first session, Codex", () => {
  test("is asked for its models by both runtimes of a home, through one process", async () => {
    const codex = place.createRuntime();
    const exec = place.createExecRuntime();
    onTestFinished(async () => {
      await Promise.all([codex.close?.(), exec.close?.()]);
    });
    expect(codex.capabilities.models).toEqual([]);
    await Promise.all([codex.probe?.(signal), exec.probe?.(signal)]);
    expect(await livingServers()).toHaveLength(1);
    const { models, efforts } = codex.capabilities;
    expect(models.length).toBeGreaterThan(2);
    for (const model of models) {
      expect(model).toMatchObject({ label: expect.any(String), description: expect.any(String) });
      expect(model).not.toHaveProperty("price");
    }
    expect(efforts.slice(0, 3)).toEqual(["low", "medium", "high"]);
    expect(exec.capabilities).toMatchObject({ models, efforts, questions: false });
  });

  test("exec alone leaves no process behind", async () => {
    const exec = place.createExecRuntime();
    await exec.probe?.(signal);
    expect(exec.capabilities.models.length).toBeGreaterThan(2);
    expect(await livingServers()).toEqual([]);
  });

  test("the model that is configured is the default", async () => {
    const exec = place.createExecRuntime({ model: "gpt-6-luna" });
    await exec.probe?.(signal);
    const defaults = exec.capabilities.models.filter(({ is_default }) => is_default);
    expect(defaults.map(({ id }) => id)).toEqual(["gpt-6-luna"]);
  });
});
