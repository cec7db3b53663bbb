import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { JsonObject } from "@turnwire/protocol";
import { type DefaultAgent, missingAgents, type RunOptions } from "@turnwire/runtime";
import { homeAgents } from "./configuration.ts";
import type { CodexOptions } from "./options.ts";
import { tomlValue } from "./toml-value.ts";

/** A folder that Codex does not look into by itself: what is in `agents` there would count for every program that uses the home. */
const folder = "turnwire-agents";

/**
 * The default agents as settings of a thread. Only where no file defines one: settings of a thread
 * go before the files of Codex (seen with 0.166.0). Their instructions must be in a file.
 */
export async function defaultAgentConfig(
  { home, url }: Pick<CodexOptions, "home" | "url">,
  { project }: Pick<RunOptions, "project">,
): Promise<JsonObject> {
  // An app-server on another machine cannot read our files.
  if (url !== undefined) return {};
  const agents = missingAgents([...(project?.agents ?? []), ...(await homeAgents(home))]);
  try {
    const entries = agents.map(async (agent): Promise<[string, JsonObject]> => {
      const { name, description } = agent;
      return [`agents.${name}`, { description, config_file: await writeAgent(home, agent) }];
    });
    return Object.fromEntries(await Promise.all(entries));
  } catch {
    // A session without them is better than none.
    return {};
  }
}

/** Gives back where the agent is written. */
async function writeAgent(home: string, agent: DefaultAgent): Promise<string> {
  const { name, instructions, isReadOnly } = agent;
  const directory = join(home, folder);
  const path = join(directory, `${name}.toml`);
  const lines = [
    `developer_instructions = ${tomlValue(instructions)}`,
    ...(isReadOnly ? [`sandbox_mode = "read-only"`] : []),
  ];
  const text = `${lines.join("\n")}\n`;
  if ((await readFile(path, "utf8").catch(() => undefined)) === text) return path;
  await mkdir(directory, { recursive: true });
  // Other sessions may read it at this moment.
  const draft = join(directory, `${name}-${randomUUID()}.draft`);
  await writeFile(draft, text);
  await rename(draft, path);
  return path;
}
