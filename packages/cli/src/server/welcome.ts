import type { Project, RuntimeConnection, RuntimeInfo } from "@turnwire/protocol";
import type { ServerConfiguration } from "../configuration/configuration.ts";
import { storeText } from "../configuration/store-choice.ts";
import { ownCommand } from "./own-command.ts";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";

/** What is said to a person when the server is ready. */
export interface WelcomeFacts {
  readonly version: string;
  readonly url: string;
  readonly loginUrl: string | undefined;
  readonly tokenFile: string | undefined;
  /** Where CLIs dial in; undefined without a relay. */
  readonly relayUrl?: string | undefined;
  /** Whether the relay allows what a CLI asks for by itself. */
  readonly isAutoApproving?: boolean;
  readonly runtimes: readonly RuntimeInfo[];
  readonly projects: readonly Project[];
}

type Colors = Format["colors"];

const LABEL = 14;
/** How many projects are named. */
const SHOWN_PROJECTS = 3;

export function welcome(
  facts: WelcomeFacts,
  configuration: ServerConfiguration,
  { colors }: Format,
): string {
  const { bold, cyan, dim } = colors;
  const { store, dataDirectory } = configuration;
  const { url, loginUrl, tokenFile } = facts;
  const kept = storeText(store);
  const rows: [string, readonly string[]][] = [
    ["Browser", [loginUrl ? `${cyan(loginUrl)} ${dim("(works once)")}` : cyan(url)]],
    ["Address", [cyan(url)]],
    ["Relay", relayLines(facts, colors)],
    ["Agents", agentLines(facts.runtimes, colors)],
    ["Projects", projectLines(facts.projects, configuration, colors)],
    ["Data", [`${dataDirectory} ${dim(`(${kept})`)}`]],
    ["Token", [tokenFile ?? (loginUrl ? "the token in TURNWIRE_TOKEN" : "off: this machine only")]],
    ["Terminal", [bold(ownCommand("chat", configuration))]],
    ["New link", [bold(ownCommand("login", configuration))]],
    ["Stop", ["Ctrl-C"]],
  ];
  const lines = rows
    .filter(([name]) => name !== "New link" || loginUrl !== undefined)
    .flatMap(([name, values]) =>
      values.map((value, index) => `  ${dim((index === 0 ? name : "").padEnd(LABEL))}${value}`),
    );
  return [bold(`Turnwire ${facts.version} is ready.`), "", ...lines, "", ""].join("\n");
}

/** Where a CLI dials in, and where front ends connect. */
function relayLines({ relayUrl, isAutoApproving }: WelcomeFacts, colors: Colors): string[] {
  if (relayUrl === undefined) return [];
  const { cyan, yellow, dim } = colors;
  const warning = yellow("Every use of a tool that a CLI asks for is allowed (--auto-approve).");
  return [
    `${cyan(relayUrl)} ${dim("(claude --sdk-url; front ends: /ws)")}`,
    ...(isAutoApproving ? [warning] : []),
  ];
}

/** Each agent with its state; what to do is said once where several share it. */
function agentLines(runtimes: readonly RuntimeInfo[], colors: Colors): string[] {
  const width = Math.max(...runtimes.map(({ label }) => label.length)) + 2;
  const shown = new Set<string>();
  return runtimes.flatMap((runtime) => {
    const { connection, label } = runtime;
    const name = safeLine(label).padEnd(width);
    const line = `${mark(connection, colors)} ${name}${state(runtime, colors)}`;
    const steps = JSON.stringify(connection.steps ?? []);
    if (shown.has(steps)) return [line];
    shown.add(steps);
    const hang = " ".repeat(width + 2);
    const next = (connection.steps ?? []).map(({ text, command }) => {
      const shown = command === undefined ? "" : `: ${colors.bold(safeLine(command))}`;
      return `${hang}${safeLine(text)}${shown}`;
    });
    return [line, ...next];
  });
}

function mark({ status }: RuntimeConnection, { green, yellow, dim }: Colors): string {
  switch (status) {
    case "connected":
      return green("●");
    case "scripted":
      return dim("●");
    case "not_connected":
    case "not_installed":
      return yellow("○");
  }
}

const states: Readonly<Record<RuntimeConnection["status"], string>> = {
  connected: "connected",
  not_connected: "not connected",
  not_installed: "not installed",
  scripted: "scripted, touches nothing",
};

function state({ connection, is_default }: RuntimeInfo, { dim }: Colors): string {
  const { status, account } = connection;
  const details = account === undefined ? [] : [safeLine(account)];
  if (is_default) details.push("default");
  return `${states[status]}${details.length > 0 ? dim(` (${details.join(", ")})`) : ""}`;
}

function projectLines(
  projects: readonly Project[],
  configuration: ServerConfiguration,
  { dim, bold }: Colors,
): string[] {
  const add = `${bold(ownCommand("projects add DIR", configuration))}, or in the browser`;
  if (projects.length === 0) return [`none yet: ${add}`];
  const shown = projects.slice(0, SHOWN_PROJECTS).map(({ display_path, git }) => {
    const branch = git?.branch === undefined ? "" : dim(` (${safeLine(git.branch)})`);
    return `${safeLine(display_path)}${branch}`;
  });
  const rest = projects.length - shown.length;
  const more = rest > 0 ? [dim(`and ${rest} more: ${ownCommand("projects", configuration)}`)] : [];
  return [...shown, ...more];
}
