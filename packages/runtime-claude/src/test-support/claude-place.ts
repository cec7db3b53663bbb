import {
  type AnthropicStandin,
  type AnthropicStandinOptions,
  startAnthropicStandin,
} from "@turnwire/conformance/anthropic-standin";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { type ClaudeRuntimeOptions, claude } from "../sdk/runtime.ts";

/** A stand-in model, and directories that the CLI may fill; all of it gone after the tests. */
export class ClaudePlace {
  readonly #directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-claude-")));
  /** The project that agents work in. */
  readonly cwd = join(this.#directory, "project");
  #standin: AnthropicStandin | undefined;

  get standin(): AnthropicStandin {
    if (!this.#standin) throw new Error("There is no stand-in outside of a test.");
    return this.#standin;
  }

  get env(): Record<string, string> {
    return {
      HOME: this.#directory,
      ANTHROPIC_BASE_URL: this.standin.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_TMPDIR: join(this.#directory, "tmp"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
    };
  }

  createRuntime(options: ClaudeRuntimeOptions = {}): ReturnType<typeof claude> {
    return claude({ env: this.env, model: "claude-opus-5-5", ...options });
  }

  async open(options: AnthropicStandinOptions): Promise<void> {
    mkdirSync(this.cwd);
    this.#standin = await startAnthropicStandin(options);
    // The SDK reads transcripts in this process, and knows their place only from here.
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(this.#directory, "config"));
  }

  async close(): Promise<void> {
    vi.unstubAllEnvs();
    await this.#standin?.close();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Makes a place for the tests of a file; call it outside of any test. */
export function useClaudePlace(options: AnthropicStandinOptions = {}): ClaudePlace {
  const place = new ClaudePlace();
  beforeAll(() => place.open(options));
  afterAll(() => place.close());
  return place;
}

/** The agents that this process has started and that still live. */
export async function livingAgents(): Promise<number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")),
  );
  return stats.flatMap((stat) => {
    const [, pid = "", state = "", parent = ""] = /^(\d+) \(claude\) (\S) (\d+)/.exec(stat) ?? [];
    return state !== "Z" && Number(parent) === process.pid ? [Number(pid)] : [];
  });
}

/** Kills them all, as a machine short of memory would. */
export async function killAgents(): Promise<void> {
  for (const pid of await livingAgents()) process.kill(pid, "SIGKILL");
}
