import { type Capabilities, draft, type EventData, type EventDraft } from "@turnwire/protocol";
import type { ClaudeMessageOf } from "./message.ts";
import { toolServerName } from "../setting/tool-server-name.ts";
import type { ClaudeState, Facts, Step } from "./state.ts";

/** The CLI introduces itself before each of its turns: what is new in that is reported. */
export function takeInit(state: ClaudeState, message: ClaudeMessageOf<"system/init">): Step {
  const { session_id, model, permissionMode } = message;
  const servers = withoutOurs(message.mcp_servers ?? []);
  const capabilities = withCommands(state.facts.capabilities, commandsOf(message));
  const mcp = new Map(servers.map(({ name, status }) => [name, status]));
  const reported = {
    providerSessionId: session_id,
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(capabilities && { capabilities }),
  };
  const statuses = servers
    .filter(({ name, status }) => state.facts.mcp.get(name) !== status)
    .map(({ name, status }) => draft("mcp_status", { server_name: name, status }));
  return [
    { ...state, facts: { ...state.facts, ...reported, mcp } },
    [...updates(state.facts, reported), ...statuses],
  ];
}

/** A server was connected again: its status is reported in any case, that of others where it changed. */
export function takeServers(
  state: ClaudeState,
  { server_name, problem, servers }: ClaudeMessageOf<"turnwire/mcp_servers">,
): Step {
  const known = withoutOurs(servers);
  const mcp = new Map(known.map(({ name, status }) => [name, status]));
  const statuses = known
    .filter(({ name, status }) => name === server_name || state.facts.mcp.get(name) !== status)
    .map(({ name, status }) => draft("mcp_status", { server_name: name, status }));
  const text = `The MCP server ${server_name} could not be connected: ${problem}`;
  return [
    { ...state, facts: { ...state.facts, mcp } },
    [...statuses, ...(problem === undefined ? [] : [draft("notice", { level: "warning", text })])],
  ];
}

/** Our own server is not news to anyone. */
function withoutOurs<Server extends { name: string }>(servers: readonly Server[]): Server[] {
  return servers.filter(({ name }) => name !== toolServerName);
}

/** A change of mode, or a compaction that failed. */
export function takeStatus(state: ClaudeState, message: ClaudeMessageOf<"system/status">): Step {
  const { permissionMode, compact_result: result, compact_error: cause = "" } = message;
  const changed: Step =
    permissionMode === undefined ? [state, []] : learn(state, { permissionMode });
  if (result !== "failed") return changed;
  const text = `The conversation could not be compacted${cause && `: ${cause}`}`;
  return [changed[0], [...changed[1], draft("notice", { level: "warning", text })]];
}

export function takeSession(state: ClaudeState, providerSessionId: string): Step {
  return learn(state, { providerSessionId });
}

export function takeRunInfo(
  state: ClaudeState,
  { capabilities, account }: ClaudeMessageOf<"turnwire/run_info">,
): Step {
  return learn(state, { capabilities, ...(account && { account }) });
}

export function takeCommands(
  state: ClaudeState,
  { commands }: ClaudeMessageOf<"system/commands_changed">,
): Step {
  const { capabilities } = state.facts;
  if (!capabilities) return [state, []];
  const slash_commands = commands
    .filter(({ name }) => !isInternal(name))
    .map(({ name, description }) => (description ? { name, description } : { name }));
  return learn(state, { capabilities: { ...capabilities, slash_commands } });
}

function learn(state: ClaudeState, reported: Partial<Facts>): Step {
  return [{ ...state, facts: { ...state.facts, ...reported } }, updates(state.facts, reported)];
}

/** One event with all that differs from what was known, or none. */
function updates(known: Facts, reported: Partial<Facts>): EventDraft[] {
  const { providerSessionId, model, permissionMode, capabilities, account } = reported;
  const data: EventData<"session_updated"> = {
    ...(isNews(known.providerSessionId, providerSessionId) && {
      provider_session_id: providerSessionId,
    }),
    ...(isNews(known.model, model) && { model }),
    ...(isNews(known.permissionMode, permissionMode) && { permission_mode: permissionMode }),
    ...(isNews(known.capabilities, capabilities) && { capabilities }),
    ...(isNews(known.account, account) && { account }),
  };
  return Object.keys(data).length > 0 ? [draft("session_updated", data)] : [];
}

function isNews<Value>(known: Value | undefined, reported: Value | undefined): reported is Value {
  return reported !== undefined && reported !== known;
}

/** Commands that work only in a terminal, and the CLI's own, are of no use to anyone else. */
function commandsOf(message: ClaudeMessageOf<"system/init">): readonly string[] | undefined {
  const { slash_commands: names, terminal_slash_commands: terminal = [] } = message;
  return names?.filter((name) => !terminal.includes(name) && !isInternal(name));
}

function isInternal(name: string): boolean {
  return name.startsWith("__");
}

/** The same capabilities where the commands are the same, so that nothing is reported twice. */
function withCommands(
  capabilities: Capabilities | undefined,
  names: readonly string[] | undefined,
): Capabilities | undefined {
  if (!capabilities || !names) return capabilities;
  const known = new Map(capabilities.slash_commands.map((command) => [command.name, command]));
  const isSame = names.length === known.size && names.every((name) => known.has(name));
  if (isSame) return capabilities;
  return { ...capabilities, slash_commands: names.map((name) => known.get(name) ?? { name }) };
}
