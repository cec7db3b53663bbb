import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { configFrom, loadConfigFile } from "./config-file.ts";
import { masked } from "../command/config.ts";
import { defaultsOf } from "./session-defaults.ts";
import { TestMachine } from "../test-support/cli-run.ts";

let machine: TestMachine;
beforeEach(async () => {
  machine = await TestMachine.create();
});
afterEach(() => machine.remove());

function load(given?: string) {
  return loadConfigFile({ given, dataDirectory: join(machine.home, "data"), cwd: machine.home });
}

async function write(name: string, text: string): Promise<string> {
  const path = join(machine.home, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

describe("a configuration file", () => {
  test("is the one that is named, else that of the data directory, and never that of the current one", async () => {
    expect(await load()).toBeUndefined();
    await write("turnwire.config.json", '{"port": 1}');
    await write("turnwire.config.ts", "throw new Error('it ran');");
    expect(await load()).toBeUndefined();
    const path = await write("data/turnwire.config.json", '{"port": 2}');
    expect(await load()).toEqual({ path, config: { port: 2 } });
    expect((await load("turnwire.config.json"))?.config).toEqual({ port: 1 });
    await expect(load("none.json")).rejects.toThrow("--config: none.json does not exist");
  });

  test("may be TypeScript", async () => {
    const text =
      'import { defineConfig } from "turnwire/config";\nconst port: number = 3;\nexport default defineConfig({ port });\n';
    await write("data/turnwire.config.ts", text);
    expect((await load())?.config).toEqual({ port: 3 });
    await write("data/turnwire.config.json", "{}");
    await expect(load()).rejects.toThrow("remove one of them");
  });

  test("that others may write to is not read unless it is named", async () => {
    const path = await write("data/turnwire.config.json", "{}");
    await chmod(path, 0o666);
    await expect(load()).rejects.toThrow("others may write to it");
    expect((await load(path))?.config).toEqual({});
  });

  test("that is broken is reported by its path", async () => {
    const path = await write("data/turnwire.config.json", "{");
    await expect(load()).rejects.toThrow(path);
  });

  test.each([
    [{ prot: 1 }, "prot: unknown key. Did you mean port?"],
    [{ session: { efort: "low" } }, "session.efort: unknown key. Did you mean effort?"],
    [
      { runtimes: { claude: { modell: "x" } } },
      "runtimes.claude.modell: unknown key. Did you mean model?",
    ],
    [{ runtimes: { cladue: {} } }, "runtimes.cladue: unknown key. Did you mean claude?"],
    [{ port: "s3cret" }, "port: "],
    [
      { session: { mcp_servers: { lab: { type: "stdio", command: 1, env: { KEY: "s3cret" } } } } },
      "session.mcp_servers.lab.command: ",
    ],
  ])("that is wrong is refused with file and key, never with a value: %j", (source, text) => {
    expect(() => configFrom("/f.json", source)).toThrow(text);
    expect(() => configFrom("/f.json", source)).toThrow("Invalid configuration in /f.json");
    expect(() => configFrom("/f.json", source)).not.toThrow("s3cret");
  });
});

test("what a runtime's sessions get is its own part before the general one", () => {
  const lab = { type: "stdio", command: "lab" } as const;
  const web = { type: "http", url: "https://example.com" } as const;
  const defaults = {
    session: { effort: "low", max_turns: 3, mcp_servers: { lab } },
    runtimes: { claude: { effort: "high", mcp_servers: { web } } },
  };
  expect(defaultsOf(defaults, "claude")).toEqual({
    effort: "high",
    max_turns: 3,
    mcp_servers: { lab, web },
  });
  expect(defaultsOf(defaults, "codex")).toEqual(defaults.session);
});

test("secrets of MCP servers are hidden, their names are not", () => {
  const shown = JSON.stringify(
    masked({
      runtimes: { codex: { url: "ws://127.0.0.1:1", token: "s3cret" } },
      session: {
        mcp_servers: {
          lab: { type: "stdio", command: "lab", env: { KEY: "s3cret" } },
          web: { type: "http", url: "https://x", headers: { Authorization: "s3cret" } },
        },
      },
    }),
  );
  expect(shown).not.toContain("s3cret");
  expect(shown).toContain("KEY");
  expect(shown).toContain("Authorization");
});
