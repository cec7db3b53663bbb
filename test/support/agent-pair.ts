import { createClient, type TurnwireClient } from "@turnwire/client";
import {
  type AnthropicStandin,
  startAnthropicStandin,
} from "@turnwire/conformance/anthropic-standin";
import {
  codexHome,
  type OpenaiStandin,
  startOpenaiStandin,
} from "@turnwire/conformance/openai-standin";
import {
  createClaudeRuntime,
  createCodexRuntime,
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { memoryProjects } from "../../apps/web/src/test-support/project.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";

const token = "agent-pair-token-0123456789-abcdefghijklmnop";

/** One server with both real agents, each against a stand-in for its model. */
export class AgentPair {
  readonly url: string;
  readonly token = token;
  readonly client: TurnwireClient;
  readonly #directory: string;
  readonly #root: string;
  readonly #server: TurnwireServer;
  readonly #standins: readonly (AnthropicStandin | OpenaiStandin)[];

  /** webRoot: a built app to serve beside the API. */
  static async start(options: { readonly webRoot?: string } = {}): Promise<AgentPair> {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-pair-")));
    const root = join(directory, "projects");
    mkdirSync(root);
    const anthropic = await startAnthropicStandin();
    const openai = await startOpenaiStandin();
    const home = await codexHome(directory, openai);
    // The SDK reads transcripts in this process, and knows their place only from here.
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(directory, "claude-config"));
    const claude = createClaudeRuntime({
      model: "claude-opus-5-5",
      env: {
        HOME: directory,
        ANTHROPIC_BASE_URL: anthropic.url,
        ANTHROPIC_API_KEY: "dummy",
        CLAUDE_CODE_TMPDIR: join(directory, "claude-tmp"),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
    });
    const host = createSessionHost({
      store: createMemoryStore(),
      runtimes: [claude, createCodexRuntime({ home: home.path, env: home.env })],
      defaultRuntime: "claude",
      roots: [root],
      projects: memoryProjects(root),
    });
    const server = await createTurnwireServer({
      host,
      auth: { type: "token", token },
      ...options,
    });
    const { url } = await server.listen({ port: 0 });
    return new AgentPair({ directory, root, url, server, standins: [anthropic, openai] });
  }

  private constructor(parts: {
    directory: string;
    root: string;
    url: string;
    server: TurnwireServer;
    standins: readonly (AnthropicStandin | OpenaiStandin)[];
  }) {
    this.#directory = parts.directory;
    this.#root = parts.root;
    this.url = parts.url;
    this.#server = parts.server;
    this.#standins = parts.standins;
    this.client = createClient({ url: parts.url, token });
  }

  /** A project for one session to work in. */
  newProject(): string {
    return mkdtempSync(join(this.#root, "project-"));
  }

  /** A fresh link that logs one browser in. */
  loginUrl(): string {
    return this.#server.loginUrl();
  }

  async close(): Promise<void> {
    await this.#server.close();
    vi.unstubAllEnvs();
    for (const standin of this.#standins) await standin.close();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
