import {
  type AnthropicStandin,
  startAnthropicStandin,
} from "@turnwire/conformance/anthropic-standin";
import {
  type CodexHome,
  codexHome,
  type OpenaiStandin,
  startOpenaiStandin,
} from "@turnwire/conformance/openai-standin";
import { claude } from "@turnwire/runtime-claude";
import { codex } from "@turnwire/runtime-codex";
import type { Runtime } from "@turnwire/runtime";
import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";

/** Both real agents, each against a stand-in for its model, in a directory of their own. */
export class StandinAgents {
  readonly directory: string;
  readonly anthropic: AnthropicStandin;
  readonly openai: OpenaiStandin;
  readonly #codexHome: CodexHome;

  static async start(): Promise<StandinAgents> {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-pair-")));
    const anthropic = await startAnthropicStandin();
    const openai = await startOpenaiStandin();
    const home = await codexHome(directory, openai);
    // The SDK reads transcripts in this process, and knows their place only from here.
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(directory, "claude-config"));
    return new StandinAgents({ directory, anthropic, openai, home });
  }

  private constructor(parts: {
    readonly directory: string;
    readonly anthropic: AnthropicStandin;
    readonly openai: OpenaiStandin;
    readonly home: CodexHome;
  }) {
    this.directory = parts.directory;
    this.anthropic = parts.anthropic;
    this.openai = parts.openai;
    this.#codexHome = parts.home;
  }

  /** New ones for each server, which closes them. */
  runtimes(): Runtime[] {
    const { directory, anthropic } = this;
    const claudeRuntime = claude({
      model: "claude-opus-5-5",
      env: {
        HOME: directory,
        ANTHROPIC_BASE_URL: anthropic.url,
        ANTHROPIC_API_KEY: "dummy",
        CLAUDE_CODE_TMPDIR: join(directory, "claude-tmp"),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    });
    const { path, env } = this.#codexHome;
    return [claudeRuntime, codex({ home: path, env })];
  }

  async close(): Promise<void> {
    vi.unstubAllEnvs();
    await this.anthropic.close();
    await this.openai.close();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
