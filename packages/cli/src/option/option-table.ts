import { delimiter } from "node:path";
import * as z from "zod";
import { budgetExample } from "./budget-text.ts";
import {
  amount,
  choice,
  flag,
  integer,
  list,
  type OptionTable,
  type OptionValues,
  text,
} from "./option.ts";

// Every option of every command: parsing, help, the configuration file's schema and the reference in
// docs/ derive from this file.

/** Gives each option its environment variable: `max-live` is TURNWIRE_MAX_LIVE. */
function withVariables<Table extends OptionTable>(table: Table): Table {
  const entries = Object.entries(table).map(([name, option]) => {
    const variable = `TURNWIRE_${name.replaceAll("-", "_").toUpperCase()}`;
    return [name, { variable, ...option }];
  });
  // Each option keeps its type: only texts were added.
  return Object.fromEntries(entries) as Table;
}

/** Gives each option its key in the configuration file too: `max-live` is `max_live`. */
function withKeys<Table extends OptionTable>(table: Table): Table {
  const entries = Object.entries(withVariables(table)).map(([name, option]) => {
    return [name, { key: name.replaceAll("-", "_"), ...option }];
  });
  // Each option keeps its type: only texts were added.
  return Object.fromEntries(entries) as Table;
}

const json = flag("Write JSON for programs instead of text");

const { url, data, config } = withVariables({
  url: text("URL", "The server to use", { fallback: "the one running on the data directory" }),
  data: text("DIR", "The directory of sessions, token and server address", {
    fallback: "~/.turnwire",
  }),
  config: text("FILE", "A configuration file", {
    fallback: "turnwire.config.json or .ts in the data directory, if there is one",
  }),
});

/** What commands take that talk to a server. */
const connection = { url, data };

/** What a server can be given: as a flag, as a variable and in the configuration file. */
export const settings = withKeys({
  host: text("HOST", "The address to listen on", { preset: "127.0.0.1" }),
  port: integer("PORT", "The port to listen on; 0 takes a free one", {
    least: 0,
    most: 65_535,
    preset: 4747,
  }),
  store: {
    ...text(
      "STORE",
      "Where logs are stored: sqlite (a file in the data directory), memory, postgres://user@host/database (any number of hosts can share it; put the password in PGPASSWORD), or postgres (starts a Postgres server in the data directory, to try it)",
      { preset: "sqlite" },
    ),
    schema: z.union([
      z.enum(["sqlite", "memory", "postgres"]),
      z.string().regex(/^postgres(ql)?:\/\//),
    ]),
  },
  durability: choice(
    "LEVEL",
    "With --store sqlite: durable survives a power failure, fast only a crash of the process",
    { choices: ["durable", "fast"], preset: "durable" },
  ),
  runtime: text("NAME", "The runtime of sessions that do not name one", {
    fallback: "the first that is connected, else demo",
  }),
  root: list("DIR", "A directory that agents may work in, and nowhere else", {
    separator: delimiter,
    fallback: "the projects that you add",
  }),
  trust: list(
    "DIR",
    "A directory whose own files may configure its agents, as they are now (see: turnwire help trust)",
    { separator: delimiter },
  ),
  "policy-mode": text(
    "MODE",
    "The policy mode of sessions that do not name one, such as implementation (see: turnwire policy modes)",
    { fallback: "none" },
  ),
  "no-user-settings": flag("Leave out your own settings in ~/.claude and ~/.codex"),
  ring: integer("N", "Events kept in memory per session, the newest ones", { fallback: "1000" }),
  retain: integer("N", "Events kept in the log per session; older ones are removed", {
    fallback: "all, with --store memory 10000",
  }),
  idle: integer("MS", "Milliseconds without use after which a session stops its agent", {
    fallback: "300000",
  }),
  "max-live": integer("N", "How many agents may run at once", { fallback: "16" }),
  "max-live-shared": integer(
    "N",
    "How many agents may run at once across all hosts of the store; give all of them the same number",
    { fallback: "no limit" },
  ),
  "drain-seconds": integer(
    "N",
    "When the server is stopped: how many seconds running turns get to finish",
    { least: 0, most: 86_400, preset: 30 },
  ),
  storage: text(
    "NAME",
    "With several hosts on one store: a name for the directories that this host sees; hosts with the same name can run each other's sessions",
    { fallback: "the name of the machine" },
  ),
  "lease-seconds": integer(
    "N",
    "With several hosts on one store: seconds without a sign of life after which other hosts take over a host's sessions",
    { most: 3600, fallback: "10" },
  ),
  "webkit-replay": choice(
    "FROM",
    "Where agent-webkit clients resume from: the log (store), or only what --ring keeps (ring)",
    { choices: ["store", "ring"], preset: "store" },
  ),
  "allow-origin": list("URL", "Another site whose pages may use the server"),
  "allow-host": list("NAME", "Another host name of the server"),
  "trusted-proxy": list(
    "ADDRESS",
    "The address of a proxy, or a network of proxies, whose X-Forwarded-For names the client",
  ),
  "no-auth": flag("Accept every request from this machine; only on a loopback address"),
  "log-level": choice(
    "LEVEL",
    "How much goes to the log on standard error: debug, info, warn, error or silent",
    { choices: ["debug", "info", "warn", "error", "silent"], preset: "info" },
  ),
  relay: flag(
    "Open a relay too, for Claude CLIs that dial in and their front ends (see: turnwire help relay)",
  ),
  "relay-port": integer("PORT", "The port of that relay; 0 takes a free one", {
    least: 0,
    most: 65_535,
    fallback: "the first free one from 8765 to 8864, where front ends look",
  }),
});

export type LogLevel = OptionValues<typeof settings>["log-level"];

/** What can be said about a session that is about to be made. */
const newSession = {
  runtime: text("NAME", "The kind of agent", { fallback: "the server's" }),
  model: text("MODEL", "The model the agent uses"),
  effort: text("LEVEL", "How much the agent thinks, such as low or high"),
  "system-prompt": text("TEXT", "Instructions for the agent in addition to its own"),
  "permission-mode": text("MODE", "How much the agent may do without asking"),
  "policy-mode": text(
    "MODE",
    "What the agent may do whatever its permission mode, such as planner",
    { fallback: "the server's" },
  ),
  cwd: text("DIR", "Where the agent works", { fallback: "here, if the server allows it" }),
  worktree: flag("Work in a new git worktree of the directory, on a branch of its own"),
  branch: text("NAME", "The branch of the worktree"),
  base: text("REF", "What the worktree starts from", { fallback: "what is checked out" }),
  sandbox: flag("Run the agent's commands in a sandbox: they write only where it works"),
  "no-network": flag("Run them in a sandbox that reaches no network"),
  title: text("TITLE", "A name for the session"),
};

/** The same for a session that a person follows; the turns of `turnwire run` have limits of their own. */
const session = {
  ...newSession,
  budget: text("LIMITS", `How much the agent may use before it asks you, such as ${budgetExample}`),
};

/** How often the agent of `turnwire run` may work where `--max-iterations` does not say it. */
export const defaultIterations = 20;

const { host, port, relay, "relay-port": relayPort, ...otherSettings } = settings;

/** The options of each command. */
export const commandOptions = {
  serve: { host, port, data, config, ...otherSettings, relay, "relay-port": relayPort, json },
  relay: {
    port: {
      ...integer("PORT", "The relay's port; 0 takes a free one", {
        least: 0,
        most: 65_535,
        fallback: "the first free one from 8765 to 8864, where front ends look",
      }),
      variable: "TURNWIRE_RELAY_PORT",
    },
    ...withVariables({
      "auto-approve": flag(
        "Allow every use of a tool that a CLI asks for, at once; never questions, nor what a policy asks a person",
      ),
    }),
    data,
    config,
    ...otherSettings,
    json,
  },
  chat: { ...connection, ...session },
  sessions: {
    ...connection,
    ...session,
    status: text("STATUS", "list: live, hibernated or archived"),
    activity: text("ACTIVITY", "list: idle, working or waiting"),
    limit: integer("N", "list and search: how many sessions", { preset: 50 }),
    "keep-worktree": flag("delete: keep the session's worktree and branch"),
    "discard-worktree": flag("delete: remove the worktree and branch with all work in them"),
    json,
  },
  projects: { ...connection, json },
  run: {
    file: text("FILE", "Read the prompt from a file", { short: "f" }),
    "output-format": choice(
      "FORMAT",
      "text: the answer; json: one object at the end; stream-json: Claude's messages, one per line, as they come",
      { choices: ["text", "json", "stream-json"], preset: "text" },
    ),
    "output-schema": text(
      "FILE",
      "The JSON Schema of an object, as which the agent gives its answer; new sessions only",
    ),
    session: text("ID", "Continue this session"),
    continue: flag("Continue the session that was last used in the directory"),
    until: text(
      "SIGNAL",
      "Work on, turn after turn, until the agent ends an answer with this text alone on the last line",
    ),
    review: text(
      "RUNTIME",
      "Have the work reviewed by this kind of agent, and corrected until it passes",
    ),
    "review-model": text("MODEL", "The model that reviews"),
    "review-policy-mode": text("MODE", "What the reviewer may do", {
      fallback: "planner, which changes nothing",
    }),
    "max-iterations": integer("N", "How often the agent may work with --until or --review", {
      fallback: String(defaultIterations),
    }),
    fresh: flag("Give every turn a session of its own, which knows nothing of those before"),
    "max-minutes": amount("MINUTES", "How long the agents may work, all turns together"),
    "max-turns": integer("N", "How many turns there may be, reviews included"),
    "max-cost": amount("USD", "What they may cost, in US dollars"),
    "max-tokens": integer("N", "How many tokens the models may read and write"),
    ...newSession,
    ...connection,
  },
  send: {
    ...connection,
    ...session,
    wait: flag("Wait for the answer and print it", { short: "w" }),
    unattended: flag("No one is there to be asked: what the agent asks is refused at once"),
    json,
  },
  tail: {
    ...connection,
    after: integer("N", "Start after this seq", { least: 0, preset: 0 }),
    follow: flag("Wait for more events; on unless --no-follow", { short: "f" }),
    "no-follow": flag("Stop at the newest event"),
    json,
  },
  login: {
    ...connection,
    name: text("NAME", "A name for the log-in", { fallback: "its browser" }),
    json,
  },
  logins: { ...connection, all: flag("revoke: every browser"), json },
  tokens: {
    ...connection,
    scope: choice("SCOPE", "create: what it permits: read, operate or admin", {
      choices: ["read", "operate", "admin"],
      preset: "read",
    }),
    session: text("ID", "create: the only session that it is for", { fallback: "all" }),
    expires: text("TIME", "create: when it ends, such as 30m, 12h or 7d", {
      fallback: "when it is revoked",
    }),
    json,
  },
  audit: { data, json },
  hosts: { ...connection, json },
  policy: {
    ...connection,
    mode: text("MODE", "The mode to ask; allow: only in this mode", {
      fallback: "planner; for replay, the session's own",
    }),
    cwd: text("DIR", "Where the command starts, or modes: where they are to hold", {
      fallback: "here",
    }),
    root: list("DIR", "A directory that the agent may work in", { fallback: "--cwd" }),
    policy: text("FILE", "A policy file (JSON) on top of the built-in modes, instead of your own"),
    unattended: flag("No one can be asked: ask becomes deny"),
    stdin: flag("explain: read commands from standard input"),
    tool: text("NAME", "allow: a tool; * is any part of its name"),
    path: text("PATH", "allow: reading a file, or with / at the end a directory"),
    write: flag("allow --path: writing it"),
    host: text("HOST", "allow: connecting to a host"),
    exact: flag("allow: these words of a command and no more"),
    project: text("DIR", "allow: only for sessions in this directory"),
    note: text("TEXT", "allow: why, for people"),
    json,
  },
  config: { host, port, data, config, ...otherSettings, relay, "relay-port": relayPort, json },
  worktrees: {
    ...connection,
    discard: flag("remove: also with work in it that is nowhere else"),
    json,
  },
  trust: {
    ...connection,
    list: flag("List the directories that are trusted"),
    remove: flag("Stop trusting the directory"),
    yes: flag("Trust it without being asked"),
    json,
  },
  doctor: {
    data,
    config,
    store: settings.store,
    durability: settings.durability,
    host,
    port,
    runtime: settings.runtime,
    json,
  },
} satisfies Record<string, OptionTable>;

/** The name of a command. */
export type CommandName = keyof typeof commandOptions;

/** What a command was given. */
export type CommandValues<Name extends CommandName> = OptionValues<(typeof commandOptions)[Name]>;
