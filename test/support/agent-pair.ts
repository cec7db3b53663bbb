import { createClient, type TurnwireClient } from "@turnwire/client";
import type { CatalogEntry } from "@turnwire/protocol";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { relaySearch } from "@turnwire/wire-relay";
import { mkdirSync, mkdtempSync } from "node:fs";
import { memoryProjects } from "../../apps/web/src/test-support/project.ts";
import { join } from "node:path";
import { StandinAgents } from "./standin-agents.ts";

const token = "agent-pair-token-0123456789-abcdefghijklmnop";

export interface AgentPairOptions {
  readonly webRoot?: string;
  readonly catalog?: readonly CatalogEntry[];
}

/** One server with both real agents, each against a stand-in for its model. */
export class AgentPair {
  readonly url: string;
  readonly token = token;
  readonly client: TurnwireClient;
  readonly agents: StandinAgents;
  readonly #root: string;
  readonly #server: TurnwireServer;

  /** webRoot: a built app to serve beside the API. catalog: what it can show. */
  static async start(options: AgentPairOptions = {}): Promise<AgentPair> {
    const { catalog = [], ...serverOptions } = options;
    const agents = await StandinAgents.start();
    const root = join(agents.directory, "projects");
    mkdirSync(root);
    const host = createSessionHost({
      store: createMemoryStore(),
      runtimes: agents.runtimes(),
      defaultRuntime: "claude",
      roots: [root],
      projects: memoryProjects(root),
      catalog,
    });
    const server = await createTurnwireServer({
      host,
      auth: { type: "token", token },
      // The web app asks for relays.
      wires: [relaySearch([])],
      ...serverOptions,
    });
    const { url } = await server.listen({ port: 0 });
    return new AgentPair({ agents, root, url, server });
  }

  private constructor(parts: {
    agents: StandinAgents;
    root: string;
    url: string;
    server: TurnwireServer;
  }) {
    this.agents = parts.agents;
    this.#root = parts.root;
    this.url = parts.url;
    this.#server = parts.server;
    this.client = createClient({ url: parts.url, token });
  }

  /** A project for one session to work in. */
  newProject(): string {
    return mkdtempSync(join(this.#root, "project-"));
  }

  /** A fresh link that logs one browser in. */
  loginUrl(): Promise<string> {
    return this.#server.loginUrl();
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.agents.close();
  }
}
