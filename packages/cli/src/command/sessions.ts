import { defined } from "@turnwire/base";
import type { SessionQuery, TurnwireClient } from "@turnwire/client";
import {
  SessionActivity,
  type SessionInfo,
  SessionStatus,
  type WorktreeChoice,
  type WorktreeRemoval,
} from "@turnwire/protocol";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import type { Context } from "../program/context.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { invalidValue } from "../option/option.ts";
import { connect } from "../connection/server-address.ts";
import { newSessionFrom } from "../session/session-options.ts";
import {
  createSession,
  everySession,
  findSession,
  shortIds,
} from "../session/session-selection.ts";
import { didYouMean } from "../error/suggestion.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";
import { truncate } from "../terminal/wrap.ts";
import { ageText } from "../terminal/figure.ts";

type SessionsInvocation = Invocation<"sessions">;

const actions = [
  "list",
  "new",
  "show",
  "rename",
  "archive",
  "unarchive",
  "delete",
  "fork",
  "search",
] as const;
type Action = (typeof actions)[number];

function actionFrom(given: string | undefined): Action {
  const action = actions.find((candidate) => candidate === (given ?? "list"));
  if (action) return action;
  const suggestion = didYouMean(given ?? "", actions);
  throw new CliError("usage", `turnwire sessions cannot "${given}".${suggestion}`);
}

function filterFrom({ values }: SessionsInvocation): Pick<SessionQuery, "status" | "activity"> {
  const status = SessionStatus.optional().safeParse(values.status);
  const activity = SessionActivity.optional().safeParse(values.activity);
  if (!status.success) {
    throw invalidValue("--status", values.status ?? "", SessionStatus.options.join(" or "));
  }
  if (!activity.success) {
    throw invalidValue("--activity", values.activity ?? "", SessionActivity.options.join(" or "));
  }
  return {
    ...defined({ status: status.data, activity: activity.data }),
  };
}

async function listed(client: TurnwireClient, invocation: SessionsInvocation) {
  const found: SessionInfo[] = [];
  for await (const session of everySession(client, filterFrom(invocation))) {
    found.push(session);
    if (found.length === invocation.values.limit) break;
  }
  return found;
}

function stateText({ status, activity }: SessionInfo, { colors }: Format): string {
  if (activity === "waiting") return colors.yellow("waiting for you");
  if (activity === "working") return colors.green("working");
  return status === "live" ? "idle" : colors.dim(status);
}

function tableOf(sessions: readonly SessionInfo[], format: Format): string[] {
  if (sessions.length === 0) return ["No sessions yet. Start one: turnwire chat"];
  const ids = shortIds(sessions.map(({ session_id }) => session_id));
  const now = Date.now();
  return tableLines(
    {
      header: ["ID", "TITLE", "RUNTIME", "STATE", "CHANGED"],
      rows: sessions.map((session) => [
        format.colors.cyan(ids.get(session.session_id) ?? session.session_id),
        truncate(safeLine(session.title ?? "-"), 40),
        safeLine(session.runtime),
        stateText(session, format),
        format.colors.dim(ageText(now - Date.parse(session.updated_at))),
      ]),
    },
    format,
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function detailLines(session: SessionInfo, { colors }: Format): string[] {
  const width = Math.max(...Object.keys(session).map((name) => name.length));
  return Object.entries(session).map(
    ([name, value]) => `${colors.dim(name.padEnd(width))}  ${safeLine(shown(value))}`,
  );
}

/** Sessions in which something was said that has all the words. */
async function found(client: TurnwireClient, invocation: SessionsInvocation): Promise<Outcome> {
  const text = invocation.positionals.slice(1).join(" ");
  if (text === "") throw new CliError("usage", "Which words? turnwire sessions search WORDS");
  const { limit } = invocation.values;
  const { results, is_complete } = await client.sessions.search(text, { limit });
  const { colors } = formatFor(invocation.stdout, invocation.env);
  const ids = shortIds(results.map(({ session }) => session.session_id));
  const lines = results.flatMap(({ session, role, snippet }) => {
    const id = colors.cyan(ids.get(session.session_id) ?? session.session_id);
    const said = snippet
      .map((part) => (part.is_match ? colors.bold(safeLine(part.text)) : safeLine(part.text)))
      .join("");
    const who = role === "user" ? "you" : session.runtime;
    return [`${id}  ${safeLine(session.title ?? "-")}`, `    ${colors.dim(`${who}:`)} ${said}`];
  });
  if (results.length === 0) lines.push("No message has these words.");
  if (!is_complete) lines.push(colors.dim("Older sessions are still being indexed."));
  return { records: results, lines };
}

interface Outcome {
  /** What `--json` prints, one object per line. */
  readonly records: readonly object[];
  readonly lines: readonly string[];
}

async function perform(client: TurnwireClient, invocation: SessionsInvocation): Promise<Outcome> {
  const [given, id, title] = invocation.positionals;
  const action = actionFrom(given);
  const format = formatFor(invocation.stdout, invocation.env);
  if (action === "list") {
    const sessions = await listed(client, invocation);
    return { records: sessions, lines: tableOf(sessions, format) };
  }
  if (action === "new") {
    const session = await createSession(client, newSessionFrom(invocation.values, invocation));
    return { records: [session], lines: [session.session_id] };
  }
  if (action === "search") return found(client, invocation);
  if (id === undefined) {
    const more = action === "rename" ? " TITLE" : "";
    throw new CliError("usage", `Missing session id. Usage: turnwire sessions ${action} ID${more}`);
  }
  const session = await findSession(client, id);
  const worktree = worktreeChoice(invocation);
  const name = title ?? invocation.values.title;
  return change(client, { action, session, title: name, format, worktree });
}

interface Change {
  readonly action: Exclude<Action, "list" | "new" | "search">;
  readonly session: SessionInfo;
  readonly title: string | undefined;
  readonly format: Format;
  /** What to do with the worktree of a session that is deleted. */
  readonly worktree: WorktreeChoice | undefined;
}

function deleted(worktree: WorktreeRemoval | undefined, id: string): Outcome {
  return {
    records: [{ session_id: id, deleted: true, ...defined({ worktree }) }],
    lines: [`Deleted ${id}.`, ...(worktree ? [safeLine(worktree.message)] : [])],
  };
}

function worktreeChoice({ values }: SessionsInvocation): WorktreeChoice | undefined {
  if (values["keep-worktree"] && values["discard-worktree"]) {
    throw new CliError("usage", "Either --keep-worktree or --discard-worktree, not both.");
  }
  if (values["keep-worktree"]) return "keep";
  return values["discard-worktree"] ? "discard" : undefined;
}

async function change(
  client: TurnwireClient,
  { action, session, title, format, worktree }: Change,
): Promise<Outcome> {
  const { session_id: id } = session;
  switch (action) {
    case "show":
      return { records: [session], lines: detailLines(session, format) };
    case "rename": {
      if (title === undefined) {
        throw new CliError("usage", "What is its new name? turnwire sessions rename ID TITLE");
      }
      const renamed = await client.sessions.update(id, { title });
      return { records: [renamed], lines: [`Renamed ${id}.`] };
    }
    case "archive":
      return { records: [await client.sessions.archive(id)], lines: [`Archived ${id}.`] };
    case "unarchive":
      return {
        records: [await client.sessions.unarchive(id)],
        lines: [`Took ${id} out of the archive.`],
      };
    case "delete":
      return deleted(await client.sessions.delete(id, defined({ worktree })), id);
    case "fork": {
      const copy = await client.sessions.fork(id, title === undefined ? {} : { title });
      return { records: [copy], lines: [copy.session_id] };
    }
  }
}

function write({ records, lines }: Outcome, { stdout }: Context, isJson: boolean): void {
  const text = isJson ? records.map((record) => JSON.stringify(record)) : lines;
  for (const line of text) stdout.write(`${line}\n`);
}

export const sessions = defineCommand({
  name: "sessions",
  summary: "List, search, create, rename, archive, fork and delete sessions",
  usage: [
    "sessions [list] [--status STATUS] [--activity ACTIVITY] [--limit N]",
    "sessions new [--runtime NAME] [--cwd DIR] [--model MODEL] [--title TITLE] [--worktree]",
    "sessions show|archive|unarchive|fork ID",
    "sessions delete ID [--keep-worktree|--discard-worktree]",
    "sessions rename ID TITLE",
    "sessions search WORDS [--limit N]",
  ],
  details:
    "ID may be the beginning of an id, as long as it is the only one. With --json each session is one JSON object on a line of its own, as the server gives it; new and fork print the id, or with --json the whole session. search looks through what people and agents said, for messages that have all the words; the last word may be a beginning.",
  maxPositionals: 50,
  examples: [
    { command: "turnwire sessions", meaning: "All sessions, newest first" },
    {
      command: "turnwire sessions --activity waiting --json",
      meaning: "Those that wait for a person, as JSON",
    },
    {
      command: 'turnwire sessions rename 3f2a91c0 "Fix the login"',
      meaning: "Rename a session",
    },
  ],
  async run(invocation) {
    const { values, env } = invocation;
    const surplus = invocation.positionals[3];
    if (actionFrom(invocation.positionals[0]) !== "search" && surplus !== undefined) {
      throw new CliError(
        "usage",
        `turnwire sessions does not know what to do with "${surplus}". See: turnwire help sessions`,
      );
    }
    const client = await connect({
      url: values.url,
      dataDirectory: dataDirectoryFrom(values.data, invocation),
      env,
    });
    write(await perform(client, invocation), invocation, values.json);
    return exitCode.ok;
  },
});
