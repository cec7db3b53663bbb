import { mkdtempSync, realpathSync } from "node:fs";
import { lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findCredential, prepareHome } from "./home.ts";

let directory: string;
let home: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-codex-home-")));
  home = join(directory, "codex");
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("HOME", directory);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

async function login(): Promise<string> {
  const file = join(directory, ".codex", "auth.json");
  await mkdir(join(directory, ".codex"));
  await writeFile(file, "{}");
  return file;
}

describe("a home of our own", () => {
  test("cannot be read by others", async () => {
    await prepareHome({ home });
    expect((await lstat(home)).mode & 0o077).toBe(0);
  });

  test("has no credential on a fresh machine", async () => {
    expect(await findCredential({ home })).toBeUndefined();
  });

  test("takes the key from the environment and writes it nowhere", async () => {
    const config = await prepareHome({ home, env: { OPENAI_API_KEY: "sk-secret" } });
    expect(config["model_providers.openai-key.env_key"]).toBe("OPENAI_API_KEY");
    expect(JSON.stringify(config)).not.toContain("sk-secret");
  });

  test("shares a person's login by a link", async () => {
    const file = await login();
    expect(await prepareHome({ home })).toEqual({});
    expect((await lstat(join(home, "auth.json"))).isSymbolicLink()).toBe(true);
    expect(await findCredential({ home })).toEqual({
      type: "login",
      file: join(home, "auth.json"),
    });
    expect(await readFile(file, "utf8")).toBe("{}");
  });

  test("keeps to the provider that its own settings name", async () => {
    await mkdir(home);
    await writeFile(join(home, "config.toml"), 'model_provider = "own"\n');
    const options = { home, env: { OPENAI_API_KEY: "sk-secret" } };
    expect(await findCredential(options)).toEqual({ type: "provider", name: "own" });
    expect(await prepareHome(options)).toEqual({});
  });
});
