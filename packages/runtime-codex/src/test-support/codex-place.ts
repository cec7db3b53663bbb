import { randomInt } from "node:crypto";
import {
  type CodexHome,
  codexHome,
  type CodexHomeOptions,
  type OpenaiStandin,
  type OpenaiStandinOptions,
  startOpenaiStandin,
} from "@turnwire/conformance/openai-standin";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { SessionHost } from "../../../server/src/3-host/session-host.ts";
import type { SessionHostOptions } from "../../../server/src/3-host/creation/session-host-options.ts";
import { systemProcessTable } from "@turnwire/runtime/process";
import { codexExec } from "../exec/runtime.ts";
import { type CodexRuntimeOptions, codex } from "../app-server/runtime.ts";

export interface CodexPlaceOptions {
  readonly standin?: OpenaiStandinOptions;
  readonly home?: CodexHomeOptions;
}

/** A stand-in model, a home and a project for Codex; all of it gone after the tests. */
export class CodexPlace {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-codex-")));
  /** The project that agents work in. */
  readonly cwd = join(this.directory, "project");
  #standin: OpenaiStandin | undefined;
  #home: CodexHome | undefined;

  get standin(): OpenaiStandin {
    if (!this.#standin) throw new Error("There is no stand-in outside of a test.");
    return this.#standin;
  }

  get home(): CodexHome {
    if (!this.#home) throw new Error("There is no home outside of a test.");
    return this.#home;
  }

  createRuntime(options: Partial<CodexRuntimeOptions> = {}): ReturnType<typeof codex> {
    return codex({ home: this.home.path, env: this.home.env, ...options });
  }

  createExecRuntime(options: Partial<CodexRuntimeOptions> = {}): ReturnType<typeof codexExec> {
    return codexExec({ home: this.home.path, env: this.home.env, ...options });
  }

  /** A host whose sessions run Codex against the stand-in. */
  openHost(
    runtime: Partial<CodexRuntimeOptions> = {},
    options: Partial<SessionHostOptions> = {},
  ): SessionHost {
    return new SessionHost({
      store: createMemoryStore(),
      runtimes: [this.createRuntime(runtime)],
      defaultRuntime: "codex",
      roots: [this.cwd],
      ...options,
    });
  }

  async open({ standin, home }: CodexPlaceOptions): Promise<void> {
    mkdirSync(this.cwd);
    this.#standin = await startOpenaiStandin(standin);
    this.#home = await codexHome(this.directory, this.#standin, home);
  }

  async close(): Promise<void> {
    await this.#standin?.close();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes a place for the tests of a file; call it outside of any test. */
export function useCodexPlace(options: CodexPlaceOptions = {}): CodexPlace {
  const place = new CodexPlace();
  beforeAll(() => place.open(options));
  afterAll(() => place.close());
  return place;
}

/** The Codex processes that this process has started and that still live. */
export async function livingServers(): Promise<number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")),
  );
  return stats.flatMap((stat) => {
    const [, pid = "", state = "", parent = ""] = /^(\d+) \(codex\) (\S) (\d+)/.exec(stat) ?? [];
    return state !== "Z" && Number(parent) === process.pid ? [Number(pid)] : [];
  });
}

/** A command that outlasts any test, in words that no other test run on this machine has. */
export function longCommand(): string {
  return `sleep ${randomInt(1e8, 1e9)}`;
}

/** The processes of the machine whose command line has these words. */
export async function processesWith(words: string): Promise<string[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    names.map(async (name) => ({
      name,
      line: await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => ""),
    })),
  );
  return lines
    .filter(({ line }) => line.replaceAll("\0", " ").includes(words))
    .map(({ name }) => name);
}

/** The processes that work with a home, whoever has started them. */
export async function processesOf(home: string): Promise<number[]> {
  const table = systemProcessTable();
  const entries = (await table.list()).filter(({ isZombie }) => !isZombie);
  const variable = `CODEX_HOME=${home}`;
  const isOf = await Promise.all(entries.map(({ pid }) => table.hasVariable(pid, variable)));
  return entries.filter((_, index) => isOf[index]).map(({ pid }) => pid);
}

/** Kills all that this process has started, as a machine short of memory would. */
export async function killServers(): Promise<void> {
  for (const pid of await livingServers()) process.kill(pid, "SIGKILL");
}
