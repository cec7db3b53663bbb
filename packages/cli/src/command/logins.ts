import type { TurnwireClient } from "@turnwire/client";
import type { LoginInfo } from "@turnwire/protocol";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { connect } from "../connection/server-address.ts";
import { shortIds } from "../session/session-selection.ts";
import { didYouMean } from "../error/suggestion.ts";
import { ageText } from "../terminal/figure.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

type LoginsInvocation = Invocation<"logins">;

const actions = ["list", "revoke"] as const;
type Action = (typeof actions)[number];

function actionFrom(given = "list"): Action {
  const action = actions.find((candidate) => candidate === given);
  if (action) return action;
  throw new CliError("usage", `turnwire logins cannot "${given}".${didYouMean(given, actions)}`);
}

function tableOf(logins: readonly LoginInfo[], format: Format): string[] {
  if (logins.length === 0) return ["No browser is logged in. Log one in: turnwire login"];
  const ids = shortIds(logins.map(({ login_id }) => login_id));
  const now = Date.now();
  const age = (time: string): string => ageText(now - Date.parse(time));
  return tableLines(
    {
      header: ["ID", "NAME", "LAST SEEN", "CREATED", "ENDS"],
      rows: logins.map((login) => [
        format.colors.cyan(ids.get(login.login_id) ?? login.login_id),
        safeLine(login.name),
        age(login.last_seen_at),
        age(login.created_at),
        login.expires_at.slice(0, 10),
      ]),
    },
    format,
  );
}

async function idFrom(client: TurnwireClient, start: string): Promise<string> {
  const { logins } = await client.logins.list();
  const [found, ...more] = logins.filter(({ login_id }) => login_id.startsWith(start));
  if (found && more.length === 0) return found.login_id;
  const problem = found ? `"${start}" fits several log-ins` : `There is no log-in "${start}"`;
  throw new CliError("usage", `${problem}: see turnwire logins.`);
}

async function revoke(client: TurnwireClient, invocation: LoginsInvocation): Promise<string> {
  const [, start] = invocation.positionals;
  if (invocation.values.all) {
    await client.logins.revokeOthers();
    return "Revoked all log-ins.";
  }
  if (start === undefined) {
    throw new CliError("usage", "Which log-in? turnwire logins revoke ID, or --all");
  }
  const id = await idFrom(client, start);
  await client.logins.revoke(id);
  return `Revoked ${id}.`;
}

export const logins = defineCommand({
  name: "logins",
  summary: "List the browsers that are logged in, and log them out",
  usage: ["logins [list] [--json]", "logins revoke ID", "logins revoke --all"],
  details:
    "ID may be the beginning of an id, as long as it is the only one. A browser that is revoked loses its open pages at once. A log-in ends by itself after 7 days without use, and after 90 days at most. With --json each log-in is one JSON object on a line of its own.",
  maxPositionals: 2,
  examples: [
    { command: "turnwire logins", meaning: "Which browsers are logged in, last used first" },
    { command: "turnwire logins revoke 3f2a91c0", meaning: "Log a lost phone out" },
    { command: "turnwire logins revoke --all", meaning: "Log every browser out" },
  ],
  async run(invocation) {
    const { values, env, stdout, positionals } = invocation;
    const action = actionFrom(positionals[0]);
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const client = await connect({ url: values.url, dataDirectory, env });
    if (action === "revoke") {
      stdout.write(`${await revoke(client, invocation)}\n`);
      return exitCode.ok;
    }
    const { logins: listed } = await client.logins.list();
    const lines = values.json
      ? listed.map((login) => JSON.stringify(login))
      : tableOf(listed, formatFor(stdout, env));
    for (const line of lines) stdout.write(`${line}\n`);
    return exitCode.ok;
  },
});
