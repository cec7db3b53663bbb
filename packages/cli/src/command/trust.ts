import { createInterface } from "node:readline";
import { resolve } from "node:path";
import type { TrustApi } from "@turnwire/client";
import type { TrustFinding, TrustInfo } from "@turnwire/protocol";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { clientFor, findServer } from "../connection/server-address.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

type TrustInvocation = Invocation<"trust">;
type Trust = Pick<TrustApi, "get" | "set" | "remove" | "list">;

const kindNames: Readonly<Record<TrustFinding["kind"], string>> = {
  instructions: "instructions",
  settings: "settings",
  hook: "hook",
  mcp_server: "MCP server",
  agent: "agent",
  skill: "skill",
  command: "command",
  rule: "rule",
  policy: "policy mode",
};

const statusTexts: Readonly<Record<TrustInfo["status"], string>> = {
  trusted: "is trusted: all of this is in force.",
  untrusted: "is not trusted: none of this is in force.",
  changed: "was trusted, but what can run commands has changed since: none of this is in force.",
  none: "has nothing that would configure an agent.",
};

function findingLines(findings: readonly TrustFinding[], format: Format): string[] {
  const rows = findings.map(({ kind, path, name = "", detail = "", can_execute }) => [
    kindNames[kind],
    safeLine(path),
    safeLine(name),
    can_execute ? "yes" : "",
    safeLine(detail),
  ]);
  return tableLines({ header: ["KIND", "FILE", "NAME", "CAN RUN", "WHAT"], rows }, format);
}

function describe(info: TrustInfo, format: Format): string {
  const more = info.is_truncated ? ["… and more than can be listed."] : [];
  const problem =
    info.problem === undefined ? [] : [`It cannot be trusted: ${safeLine(info.problem)}.`];
  const found =
    info.findings.length > 0 ? ["", ...findingLines(info.findings, format), ...more, ""] : [];
  const title = `${safeLine(info.path)} ${statusTexts[info.status]}`;
  const uncovered =
    info.not_covered.length > 0
      ? [
          "Not covered, so it may change without being noticed:",
          ...info.not_covered.map(asItem),
          "",
        ]
      : [];
  return [title, ...found, ...uncovered, ...problem].map((line) => `${line}\n`).join("");
}

function asItem(sentence: string): string {
  return `  - ${safeLine(sentence)}`;
}

/** Asks on the terminal; anything but yes is no. */
async function isConfirmed({ stdin, stdout }: TrustInvocation, question: string): Promise<boolean> {
  stdout.write(question);
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return /^\s*y(?:es)?\s*$/i.test(line);
    return false;
  } finally {
    lines.close();
  }
}

async function trustDirectory(
  trust: Trust,
  directory: string,
  invocation: TrustInvocation,
): Promise<number> {
  const { values, stdin, stdout, env } = invocation;
  const info = await trust.get(directory);
  if (values.json && !values.yes) {
    stdout.write(`${JSON.stringify(info)}\n`);
    return exitCode.ok;
  }
  if (!values.json) stdout.write(describe(info, formatFor(stdout, env)));
  const canBeTrusted = info.status === "untrusted" || info.status === "changed";
  if (!canBeTrusted || info.problem !== undefined) {
    if (values.json) stdout.write(`${JSON.stringify(info)}\n`);
    return info.problem === undefined ? exitCode.ok : exitCode.failure;
  }
  if (!values.yes) {
    if (stdin.isTTY !== true) {
      throw new CliError("usage", "There is no terminal to ask on: add --yes to trust it.");
    }
    const question = "Trust this directory? Agents there will use all of this. [y/N] ";
    if (!(await isConfirmed(invocation, question))) {
      stdout.write("Nothing was changed.\n");
      return exitCode.failure;
    }
  }
  const trusted = await trust.set(info.path, info.digest);
  stdout.write(values.json ? `${JSON.stringify(trusted)}\n` : `Trusted ${safeLine(info.path)}.\n`);
  return exitCode.ok;
}

async function list(trust: Trust, { values, stdout, env }: TrustInvocation): Promise<number> {
  const { directories } = await trust.list();
  const format = formatFor(stdout, env);
  const rows = directories.map(({ path, trusted_at }) => [safeLine(path), trusted_at.slice(0, 10)]);
  const table = tableLines({ header: ["DIRECTORY", "SINCE"], rows }, format);
  const lines = values.json
    ? directories.map((directory) => JSON.stringify(directory))
    : rows.length === 0
      ? ["No directory is trusted. Trust one: turnwire trust DIR"]
      : table;
  for (const line of lines) stdout.write(`${line}\n`);
  return exitCode.ok;
}

/** Through the server that runs on the data, or without one in its file. */
async function openTrust(invocation: TrustInvocation): Promise<Trust> {
  const { values, env, createRuntimes } = invocation;
  const dataDirectory = dataDirectoryFrom(values.data, invocation);
  const server = await findServer({ url: values.url, dataDirectory, env });
  if (server) return clientFor(server).trust;
  const { openLocalTrust } = await import("../connection/local-trust.ts");
  return openLocalTrust(dataDirectory, await createRuntimes({ dataDirectory, env }));
}

export const trust = defineCommand({
  name: "trust",
  summary: "Let a project's own files configure the agents that work in it",
  usage: ["trust [DIR] [--yes]", "trust --list", "trust [DIR] --remove"],
  details:
    "Shows what was found in the directory (default: the current one) and asks. Until it is trusted, agents use none of its CLAUDE.md, AGENTS.md, settings, hooks, MCP servers, agents, skills and commands. A change of anything there that can run commands ends the trust until you look at it again. Works with and without a running server.",
  maxPositionals: 1,
  examples: [
    { command: "turnwire trust", meaning: "Look at the current directory, and trust it" },
    { command: "turnwire trust ~/code/app --yes", meaning: "Trust it as it is, for scripts" },
    { command: "turnwire trust --list", meaning: "Which directories are trusted" },
    { command: "turnwire trust ~/code/app --remove", meaning: "Stop trusting it" },
  ],
  async run(invocation) {
    const { values, positionals, cwd, stdout } = invocation;
    const opened = await openTrust(invocation);
    if (values.list) return list(opened, invocation);
    const directory = resolve(cwd, positionals[0] ?? ".");
    if (!values.remove) return trustDirectory(opened, directory, invocation);
    await opened.remove(directory);
    stdout.write(`${safeLine(directory)} is no longer trusted.\n`);
    return exitCode.ok;
  },
});
