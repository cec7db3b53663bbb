import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "@turnwire/base";
import {
  type ConfigurationRule,
  type ConfigurationSources,
  type Definition,
  hooksIn,
  isMarkdown,
  isSkill,
  readByPath,
  readInstructions,
  readNamed,
  readSkill,
  serversIn,
} from "@turnwire/runtime/configuration";
import { claudeEnvironment } from "../setting/environment.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";

const text = { canExecute: false, reach: "all" } as const;
const code = { canExecute: true, reach: "project" } as const;

/** What the CLI reads in a project with the setting sources `project` and `local`, as seen with 2.1.325. */
const project: readonly ConfigurationRule[] = [
  { kind: "instructions", path: "CLAUDE.md", ...text, read: readInstructions },
  { kind: "instructions", path: "CLAUDE.local.md", ...text, read: readInstructions },
  { kind: "instructions", path: ".claude/CLAUDE.md", ...text, read: readInstructions },
  { kind: "rule", path: ".claude/rules", ...text, files: isMarkdown, read: readByPath },
  { kind: "settings", path: ".claude/settings.json", ...code, reach: "own", read: readSettings },
  {
    kind: "settings",
    path: ".claude/settings.local.json",
    ...code,
    reach: "root",
    read: readSettings,
  },
  { kind: "mcp_server", path: ".mcp.json", ...code, reach: "all", read: readServers },
  { kind: "agent", path: ".claude/agents", ...code, files: isMarkdown, read: readNamed },
  { kind: "skill", path: ".claude/skills", ...code, files: isSkill, read: readSkill },
  { kind: "command", path: ".claude/commands", ...code, files: isMarkdown, read: readByPath },
  { kind: "command", path: ".claude/workflows", ...code, files: isScript, read: readByPath },
];

/** The same in a person's own directory. */
const user: readonly ConfigurationRule[] = [
  { kind: "instructions", path: "CLAUDE.md", ...text, read: () => [{}] },
  { kind: "rule", path: "rules", ...text, files: isMarkdown, read: readByPath },
  { kind: "settings", path: "settings.json", ...code, read: readSettings },
  { kind: "agent", path: "agents", ...code, files: isMarkdown, read: readNamed },
  { kind: "skill", path: "skills", ...code, files: isSkill, read: readSkill },
  { kind: "command", path: "commands", ...code, files: isMarkdown, read: readByPath },
];

export function claudeConfiguration(options: ClaudeRuntimeOptions): ConfigurationSources {
  if (!options.settingSources?.includes("user")) return { project };
  const env = claudeEnvironment(options.env);
  const directory = env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? homedir(), ".claude");
  return { project, user: { directory, rules: user } };
}

/** Settings that are commands themselves. */
const commands = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "gcpAuthRefresh",
  "otelHeadersHelper",
  "proxyAuthHelper",
  "statusLine",
  "subagentStatusLine",
  "fileSuggestion",
];

function readSettings(source: string): Definition[] {
  const settings: unknown = JSON.parse(source);
  if (!isObject(settings)) return [{}];
  const others = Object.keys(settings).filter((key) => key !== "hooks" && !commands.includes(key));
  return [
    others.length === 0 ? {} : { detail: `sets ${others.join(", ")}` },
    ...hooksIn(settings["hooks"]),
    ...commands.flatMap((name) => commandSetting(name, settings[name])),
    ...permissions(settings["permissions"]),
  ];
}

function commandSetting(name: string, value: unknown): Definition[] {
  const command = isObject(value) ? value["command"] : value;
  return typeof command === "string" ? [{ name, detail: command, command }] : [];
}

function permissions(value: unknown): Definition[] {
  const allowed: unknown = isObject(value) ? value["allow"] : undefined;
  if (!Array.isArray(allowed) || allowed.length === 0) return [];
  return [{ name: "permissions", detail: `allows ${allowed.map(String).join(", ")}` }];
}

function readServers(source: string): Definition[] {
  const file: unknown = JSON.parse(source);
  return isObject(file) ? serversIn(file["mcpServers"]) : [];
}

function isScript(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}
