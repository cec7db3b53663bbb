import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkClaude } from "./check.ts";
import { claudeEnvironment } from "../setting/environment.ts";
import { bypassProblem } from "../setting/permissions.ts";

let home = "";

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "turnwire-claude-home-"));
  for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"]) {
    vi.stubEnv(name, undefined);
  }
  vi.stubEnv("CLAUDE_CONFIG_DIR", undefined);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

describe("the check of Claude", () => {
  test("says what to set where there is nothing to log in with", async () => {
    const check = await checkClaude({ env: { HOME: home } });
    expect(check.isAvailable).toBe(false);
    expect(check.problem).toContain("ANTHROPIC_API_KEY");
    expect(check.problem).toContain("Log in");
    expect(check.connection).toMatchObject({
      status: "not_connected",
      version: expect.stringMatching(/^\d+\./),
      steps: [
        { command: expect.stringMatching(/claude auth login$/) },
        { command: expect.stringContaining("ANTHROPIC_API_KEY") },
      ],
    });
  });

  test("names the directory that the login belongs in, and the whole path of the program", async () => {
    const env = { HOME: home, CLAUDE_CONFIG_DIR: join(home, "my claude"), PATH: "" };
    const [step] = (await checkClaude({ env, executable: "/opt/claude" })).connection?.steps ?? [];
    expect(step?.command).toBe(`CLAUDE_CONFIG_DIR='${home}/my claude' /opt/claude auth login`);
  });

  test("is content with a key, and never shows it", async () => {
    const check = await checkClaude({ env: { HOME: home, ANTHROPIC_API_KEY: "sk-secret" } });
    expect(check).toMatchObject({
      isAvailable: true,
      details: { login: "by ANTHROPIC_API_KEY" },
      connection: { status: "connected", account: "API key in ANTHROPIC_API_KEY" },
    });
    expect(JSON.stringify(check)).not.toContain("sk-secret");
  });

  test("is content with a login of the CLI", async () => {
    await writeFile(join(home, ".credentials.json"), "{}");
    const env = { HOME: home, CLAUDE_CONFIG_DIR: home };
    expect(await checkClaude({ env })).toMatchObject({
      isAvailable: true,
      connection: { status: "connected", account: "Logged in with claude" },
    });
  });
});

describe("the environment of the CLI", () => {
  test("holds what is named, and nothing else of ours", () => {
    vi.stubEnv("ANTHROPIC_API_KEY", "key");
    vi.stubEnv("TURNWIRE_TOKEN", "secret");
    const env = claudeEnvironment({ EXTRA: "1" });
    expect(env).toMatchObject({ ANTHROPIC_API_KEY: "key", EXTRA: "1" });
    expect(env).not.toHaveProperty("TURNWIRE_TOKEN");
  });
});

describe("bypassPermissions", () => {
  test("is explained to root, unless the machine is a sandbox", () => {
    vi.spyOn(process, "getuid").mockReturnValue(0);
    expect(bypassProblem({})).toContain("IS_SANDBOX=1");
    expect(bypassProblem({ IS_SANDBOX: "1" })).toBeUndefined();
    vi.spyOn(process, "getuid").mockReturnValue(1000);
    expect(bypassProblem({})).toBeUndefined();
    vi.restoreAllMocks();
  });
});
