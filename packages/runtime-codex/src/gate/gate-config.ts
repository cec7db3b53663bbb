import { isObject } from "@turnwire/base";
import type { JsonObject, JsonValue, McpServer } from "@turnwire/protocol";
import { posix, win32 } from "node:path";
import * as z from "zod";
import { type RunOptions, RuntimeError } from "@turnwire/runtime";
import type { RpcClient } from "../protocol/rpc.ts";

/** Where settings come from; a project's count where it is trusted. */
const Layer = z.object({
  name: z.looseObject({
    type: z.string(),
    file: z.string().optional(),
    dotCodexFolder: z.string().optional(),
  }),
  config: z.looseObject({
    mcp_servers: z.record(z.string(), z.looseObject({})).optional(),
    hooks: z.unknown().optional(),
  }),
});
type Layer = z.infer<typeof Layer>;

const Layers = z.object({ layers: z.array(Layer) });
const Directory = z.object({ entries: z.array(z.object({ fileName: z.string() })) });
const File = z.object({ dataBase64: z.string() });

/**
 * The settings with which a thread asks about everything that a policy judges. In Codex 0.166.0
 * some tools never ask, so they are off: `view_image`, web search, image generation and connectors.
 * Rejects with a RuntimeError where Codex would still run something unasked.
 */
export async function gateConfig(rpc: RpcClient, run: RunOptions): Promise<JsonObject> {
  const read = await rpc.call("config/read", { includeLayers: true, cwd: run.cwd });
  const layers = Layers.parse(read).layers.filter(
    ({ name }) => name.type !== "project" || run.project?.isTrusted === true,
  );
  for (const layer of layers) await checkLayer(rpc, layer);
  return {
    // In a terminal the model could type into a program that it was allowed to run: `!` in `more` is a shell.
    "features.unified_exec_tty": false,
    "features.view_image": false,
    "features.image_generation": false,
    "features.apps": false,
    "features.plugins": false,
    web_search: "disabled",
    ...askingServers(layers, run.mcpServers),
  };
}

/** Every MCP server of the settings asks before each of its tools; the session's own do anyway. */
function askingServers(
  layers: readonly Layer[],
  own: Readonly<Record<string, McpServer>> = {},
): JsonObject {
  const servers = layers
    .flatMap(({ config }) => Object.entries(config.mcp_servers ?? {}))
    .filter(([name]) => !Object.hasOwn(own, name));
  const settings = servers.flatMap(([name, { tools }]): (readonly [string, JsonValue])[] => [
    [`mcp_servers.${name}.default_tools_approval_mode`, "prompt"],
    ...(isObject(tools) ? [[`mcp_servers.${name}.tools`, askingTools(tools)] as const] : []),
  ]);
  return Object.fromEntries(settings);
}

function askingTools(tools: Readonly<Record<string, unknown>>): JsonObject {
  const names = Object.keys(tools);
  return Object.fromEntries(names.map((tool) => [tool, { approval_mode: "prompt" }]));
}

/** A rule of Codex lets commands run unasked, a hook may answer in our place: neither can be switched off alone. */
async function checkLayer(rpc: RpcClient, { name, config }: Layer): Promise<void> {
  const folder = name.dotCodexFolder ?? (name.file && pathOf(name.file).dirname(name.file));
  const hooks = isObject(config.hooks) ? JSON.stringify(config.hooks) : "";
  if (hooks.includes("PermissionRequest")) throw unheld(`a PermissionRequest hook in ${folder}`);
  if (folder === undefined) return;
  const hookFile = pathOf(folder).join(folder, "hooks.json");
  if ((await readText(rpc, hookFile)).includes("PermissionRequest")) {
    throw unheld(`a PermissionRequest hook in ${hookFile}`);
  }
  for (const file of await rulesIn(rpc, pathOf(folder).join(folder, "rules"))) {
    if (hasAllowRule(await readText(rpc, file))) throw unheld(`a rule in ${file}`);
  }
}

function unheld(what: string): RuntimeError {
  return new RuntimeError(
    "invalid_input",
    `The policy mode cannot hold Codex here: ${what} lets it act without asking. Remove that, or choose no policy mode.`,
  );
}

/** A rule without a decision allows. */
export function hasAllowRule(rules: string): boolean {
  const lines = rules.replaceAll(/#.*$/gm, "");
  const all = lines.match(/\bprefix_rule\s*\(/g)?.length ?? 0;
  const strict = lines.match(/\bdecision\s*=\s*["'](?:prompt|forbidden)["']/g)?.length ?? 0;
  return all > strict || /\b(?:for|def|load|lambda)\b/.test(lines);
}

async function rulesIn(rpc: RpcClient, directory: string): Promise<string[]> {
  const listed = await rpc.call("fs/readDirectory", { path: directory }).catch(() => undefined);
  const entries = Directory.safeParse(listed).data?.entries ?? [];
  const names = entries.map(({ fileName }) => fileName).filter((name) => name.endsWith(".rules"));
  return names.map((name) => pathOf(directory).join(directory, name));
}

/** Empty where there is no such file; Codex reads it on its own machine. */
async function readText(rpc: RpcClient, path: string): Promise<string> {
  const read = await rpc.call("fs/readFile", { path }).catch(() => undefined);
  return Buffer.from(File.safeParse(read).data?.dataBase64 ?? "", "base64").toString();
}

function pathOf(path: string): typeof posix {
  return /^[a-z]:\\/i.test(path) ? win32 : posix;
}
