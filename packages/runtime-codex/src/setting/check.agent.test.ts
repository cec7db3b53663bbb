import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkCodex } from "./check.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "turnwire-codex-check-"));
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("HOME", directory);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

describe("whether Codex can be used", () => {
  test("depends on the program", async () => {
    const executable = join(directory, "no-codex");
    const check = await checkCodex({ home: directory, executable });
    expect(check).toMatchObject({ isAvailable: false });
    expect(check.problem).toContain("npm install @openai/codex");
    expect(check.connection).toMatchObject({
      status: "not_installed",
      steps: [{ command: "npm install @openai/codex" }],
    });
  });

  test("depends on a key or a login", async () => {
    const check = await checkCodex({ home: directory });
    expect(check).toMatchObject({ isAvailable: false });
    expect(check.problem).toContain("OPENAI_API_KEY");
    expect(check.details?.["version"]).toContain("codex");
    expect(check.connection).toMatchObject({
      status: "not_connected",
      version: expect.stringMatching(/^\d+\./),
      steps: [
        { command: expect.stringMatching(/codex login$/) },
        { command: expect.stringContaining("OPENAI_API_KEY") },
      ],
    });
  });

  test("is reported without the key itself", async () => {
    const check = await checkCodex({ home: directory, env: { OPENAI_API_KEY: "sk-secret" } });
    expect(check).toMatchObject({ isAvailable: true, details: { login: "OPENAI_API_KEY" } });
    expect(check.connection).toMatchObject({
      status: "connected",
      account: "API key in OPENAI_API_KEY",
    });
    expect(JSON.stringify(check)).not.toContain("sk-secret");
  });
});
