import type { Session, TurnwireClient } from "@turnwire/client";
import {
  accountText,
  budgetLimits,
  currentLimits,
  grantsOf,
  reviewTargetFrom,
  type PolicyInfo,
  type SessionState,
  usedOf,
} from "@turnwire/protocol";
import { budgetExample, budgetFromText } from "../option/budget-text.ts";
import {
  createSession,
  findSession,
  type NewSession,
  everySession,
} from "../session/session-selection.ts";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { limitLine } from "./side-view.ts";
import { helpLines, type Intent } from "./slash-command.ts";

/** What an intent led to. */
export type Step =
  | { readonly type: "stay"; readonly notes: readonly string[]; readonly seq?: number }
  | { readonly type: "open"; readonly sessionId: string }
  | { readonly type: "quit" };

export interface PerformPorts {
  readonly client: TurnwireClient;
  readonly session: Session;
  /** What a further session is made like. */
  readonly newSession: NewSession;
  readonly format: Format;
}

const LISTED = 15;

const stay = (...notes: readonly string[]): Step => ({ type: "stay", notes });
const taken = ({ seq }: { readonly seq: number }): Step => ({ type: "stay", notes: [], seq });

async function listSessions(client: TurnwireClient, current: string): Promise<Step> {
  const lines: string[] = [];
  for await (const { session_id: id, title, runtime, activity } of everySession(client)) {
    const mark = id === current ? "›" : " ";
    lines.push(safeLine(`${mark} ${id}  ${runtime}  ${activity}  ${title ?? ""}`).trimEnd());
    if (lines.length === LISTED) break;
  }
  return stay(...lines, "Continue one of them: /open ID");
}

function effortLines({ session }: SessionState): string[] {
  const { efforts, set_effort } = session.capabilities;
  if (!set_effort) return ["This agent has no choice of effort."];
  const choices = efforts.map((effort) => `${effort === session.effort ? "›" : " "} ${effort}`);
  return [`effort: ${session.effort ?? "default"}`, ...choices];
}

function modelLines({ session }: SessionState): string[] {
  const models = session.capabilities.models.map(({ id, label }) =>
    `${id === session.model ? "›" : " "} ${id}  ${label ?? ""}`.trimEnd(),
  );
  return [`model: ${session.model ?? "default"}`, ...models];
}

function policyLines({ session }: SessionState, { modes }: PolicyInfo): string[] {
  const lines = modes.map(
    ({ name, description, problem }) =>
      `${name === session.policy_mode ? "›" : " "} ${name}  ${problem ?? description}`,
  );
  return [`policy mode: ${session.policy_mode ?? "none"}`, ...lines].map(safeLine);
}

function modeLines({ session }: SessionState): string[] {
  const modes = session.capabilities.permission_modes.map(
    (mode) => `${mode === session.permission_mode ? "›" : " "} ${mode}`,
  );
  return [`permission mode: ${session.permission_mode ?? "default"}`, ...modes].map(safeLine);
}

function budgetLines({ session: { budget } }: SessionState): string[] {
  if (!budget) return [`No limits. Set some: /budget ${budgetExample}`];
  const limits = budgetLimits.filter((name) => budget.allowed[name] !== undefined);
  return limits.map((name) => {
    const used = usedOf(budget, name, Date.now()).toLocaleString("en");
    return `${name}: ${used} of ${budget.allowed[name]?.toLocaleString("en")}`;
  });
}

async function changeBudget(session: Session, argument: string): Promise<Step> {
  if (argument === "none") {
    return taken(await session.execute({ type: "set_budget", budget: null }));
  }
  const budget = budgetFromText(argument);
  if ("problem" in budget) return stay(budget.problem);
  return taken(await session.execute({ type: "set_budget", budget }));
}

function serverLines({ mcp, session }: SessionState): string[] {
  const lines = Object.entries(mcp).map(([name, status]) => safeLine(`${name}: ${status}`));
  if (lines.length === 0) return ["The agent has reported no MCP servers."];
  return session.capabilities.reconnect_mcp
    ? [...lines, "Connect one again: /servers NAME"]
    : lines;
}

function grantLines(state: SessionState): string[] {
  const grants = grantsOf(state);
  if (grants.length === 0) return ["Nothing: the agent asks each time."];
  const lines = grants.map(({ tool_name, permission }, index) =>
    safeLine(`${index + 1} ${tool_name}  ${JSON.stringify(permission)}`),
  );
  return state.session.capabilities.revoke_permissions
    ? [...lines, "Revoke one of them: /allowed NUMBER"]
    : [...lines, "They hold until the agent stops."];
}

async function revokeGrant(session: Session, argument: string): Promise<Step> {
  const grant = grantsOf(session.getState().session)[Number(argument) - 1];
  if (!grant) return stay(`There is no number ${argument}, see /allowed`);
  return taken(await session.execute({ type: "revoke_permission", grant_id: grant.grant_id }));
}

type SlashIntent = Extract<Intent, { type: "slash" }>;

async function performSlash({ name, argument }: SlashIntent, ports: PerformPorts): Promise<Step> {
  const { client, session, newSession, format } = ports;
  const state = session.getState().session;
  const title = argument === "" ? {} : { title: argument };
  switch (name) {
    case "help":
      return stay(...helpLines(state.session.capabilities, format));
    case "sessions":
      return listSessions(client, session.id);
    case "new": {
      const wish = { ...newSession.wish, ...title };
      const created = await createSession(client, { ...newSession, wish });
      return { type: "open", sessionId: created.session_id };
    }
    case "open":
      if (argument === "") return stay("Which one? /open ID, see /sessions");
      return { type: "open", sessionId: (await findSession(client, argument)).session_id };
    case "model":
      if (argument === "") return stay(...modelLines(state));
      return taken(await session.execute({ type: "set_model", model: argument }));
    case "effort":
      if (argument === "") return stay(...effortLines(state));
      return taken(
        await session.execute({
          type: "set_effort",
          effort: argument === "default" ? null : argument,
        }),
      );
    case "mode":
      if (argument === "") return stay(...modeLines(state));
      return taken(await session.execute({ type: "set_permission_mode", mode: argument }));
    case "policy":
      if (argument === "")
        return stay(...policyLines(state, await client.policy.get({ session: session.id })));
      return taken(
        await session.execute({
          type: "set_policy_mode",
          mode: argument === "none" ? null : argument,
        }),
      );
    case "allowed":
      return argument === "" ? stay(...grantLines(state)) : revokeGrant(session, argument);
    case "budget":
      return argument === "" ? stay(...budgetLines(state)) : changeBudget(session, argument);
    case "limits": {
      const limits = currentLimits(state.rate_limits, Date.now());
      const { account } = state.session;
      const named = account ? [safeLine(`account: ${accountText(account)}`)] : [];
      if (limits.length === 0) {
        return stay(...named, "The agent has reported no limits of its account.");
      }
      return stay(...named, ...limits.map(limitLine));
    }
    case "context":
      return taken(await session.execute({ type: "read_context" }));
    case "servers":
      if (argument === "") return stay(...serverLines(state));
      return taken(await session.execute({ type: "reconnect_mcp_server", server_name: argument }));
    case "stop":
      if (argument !== "") {
        return taken(await session.execute({ type: "stop_task", task_id: argument }));
      }
      if (!state.turn) return stay("Nothing runs.");
      await session.interrupt();
      return stay();
    case "rename":
      if (argument === "") return stay("What is its new name? /rename TITLE");
      return taken(await session.execute({ type: "rename", title: argument }));
    case "fork":
      return {
        type: "open",
        sessionId: (await client.sessions.fork(session.id, title)).session_id,
      };
    case "compact":
      return taken(
        await session.execute({
          type: "compact",
          ...(argument !== "" && { instructions: argument }),
        }),
      );
    case "review":
      return taken(
        await session.send(`/review ${argument}`.trim(), { review: reviewTargetFrom(argument) }),
      );
    case "quit":
      return { type: "quit" };
  }
}

/** Does what a person asked for. Rejects with a ClientError where the server refuses. */
export async function perform(intent: Intent, ports: PerformPorts): Promise<Step> {
  const { session } = ports;
  switch (intent.type) {
    case "nothing":
      return stay();
    case "unknown":
      return stay(intent.hint);
    case "message":
      return taken(await session.send(intent.text));
    case "steer":
      if (!session.getState().session.turn) return taken(await session.send(intent.text));
      return taken(await session.steer(intent.text));
    case "slash":
      return performSlash(intent, ports);
  }
}
