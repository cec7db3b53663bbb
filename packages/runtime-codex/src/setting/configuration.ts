import { isObject } from "@turnwire/base";
import {
  type ConfigurationRule,
  type ConfigurationSources,
  type Definition,
  hooksIn,
  isSkill,
  readByPath,
  readInstructions,
  readSkill,
  scanUser,
} from "@turnwire/runtime/configuration";
import { personalHome } from "./home.ts";
import type { CodexOptions } from "./options.ts";

const text = { canExecute: false, reach: "project" } as const;
const code = { canExecute: true, reach: "repository" } as const;
const isToml = (path: string): boolean => path.endsWith(".toml");

/** What Codex reads in a project with the trust level `trusted`, as seen with 0.166.0; skills at any level. */
const project: readonly ConfigurationRule[] = [
  { kind: "instructions", path: "AGENTS.md", ...text, read: readInstructions },
  { kind: "instructions", path: "AGENTS.override.md", ...text, read: readInstructions },
  { kind: "settings", path: ".codex/config.toml", ...code, read: readSettings },
  { kind: "hook", path: ".codex/hooks.json", ...code, read: readHooks },
  { kind: "agent", path: ".codex/agents", ...code, files: isToml, read: readAgent },
  { kind: "skill", path: ".codex/skills", ...code, files: isSkill, read: readSkill },
  {
    kind: "skill",
    path: ".agents/skills",
    ...code,
    reach: "project",
    files: isSkill,
    read: readSkill,
  },
  { kind: "rule", path: ".codex/rules", ...code, files: isRule, read: readByPath },
];

/** The same in a person's own home. */
const user: readonly ConfigurationRule[] = [
  { kind: "instructions", path: "AGENTS.md", ...text, read: () => [{}] },
  { kind: "settings", path: "config.toml", ...code, read: readSettings },
  { kind: "hook", path: "hooks.json", ...code, read: readHooks },
  { kind: "agent", path: "agents", ...code, files: isToml, read: readAgent },
  { kind: "skill", path: "skills", ...code, files: isPersonalSkill, read: readSkill },
  { kind: "rule", path: "rules", ...code, files: isRule, read: readByPath },
];

export function codexConfiguration(options: CodexOptions): ConfigurationSources {
  if (options.isHomeShared) return { project, user: { directory: options.home, rules: user } };
  if (!options.usesPersonalSettings) return { project };
  return { project, user: { directory: personalHome(options), rules: user } };
}

/** The names of the agents that a home defines, whoever put them there. */
export async function homeAgents(home: string): Promise<string[]> {
  const rules = user.filter(({ kind }) => kind === "agent" || kind === "settings");
  const findings = await scanUser(home, rules);
  return findings.flatMap(({ kind, name }) => (kind === "agent" && name ? [name] : []));
}

/** Its tables by their heads: what is shown needs no more, and the digest covers the whole text. */
function readSettings(source: string): Definition[] {
  const servers = tablesOf(source, "mcp_servers").map(({ name, body }): Definition => {
    const command = [/^\s*command\s*=\s*(.+)$/m, /^\s*args\s*=\s*(.+)$/m, /^\s*url\s*=\s*(.+)$/m]
      .flatMap((line) => line.exec(body)?.[1] ?? [])
      .join(" ");
    return { kind: "mcp_server", name, detail: command, command };
  });
  const hooks = Array.from(source.matchAll(/^\s*\[\[hooks\.(\w+)\.hooks\]\]([^[]*)/gm), (found) => {
    const [, name = "", body = ""] = found;
    const [, command = ""] = /^\s*command\s*=\s*(.+)$/m.exec(body) ?? [];
    return { kind: "hook", name, detail: command, command } as const;
  });
  const agents = tablesOf(source, "agents").map(({ name }) => ({ kind: "agent", name }) as const);
  return [{}, ...servers, ...hooks, ...agents];
}

function tablesOf(source: string, kind: string): { name: string; body: string }[] {
  const heads = new RegExp(
    `^\\s*\\[${kind}\\.("[^"]+"|[\\w-]+)\\]([^]*?)(?=^\\s*\\[|(?![^]))`,
    "gm",
  );
  return Array.from(source.matchAll(heads), ([, name = "", body = ""]) => ({
    name: name.replaceAll('"', ""),
    body,
  }));
}

function readHooks(source: string): Definition[] {
  const file: unknown = JSON.parse(source);
  return isObject(file) ? hooksIn(file["hooks"]) : [];
}

function readAgent(source: string, path: string): Definition[] {
  const [, name] = /^\s*name\s*=\s*"([^"]+)"/m.exec(source) ?? [];
  return name === undefined ? readByPath(source, path) : [{ name }];
}

/** Codex puts skills of its own beside the person's. */
function isPersonalSkill(path: string): boolean {
  return isSkill(path) && !path.startsWith(".");
}

function isRule(path: string): boolean {
  return path.endsWith(".rules");
}
