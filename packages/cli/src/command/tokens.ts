import type { TurnwireClient } from "@turnwire/client";
import type { CreateToken, TokenInfo } from "@turnwire/protocol";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { connect } from "../connection/server-address.ts";
import { CliError, exitCode } from "../error/cli-error.ts";
import { didYouMean } from "../error/suggestion.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import { ageText } from "../terminal/figure.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { tableLines } from "../terminal/table.ts";

type TokensInvocation = Invocation<"tokens">;

const actions = ["list", "create", "revoke"] as const;
type Action = (typeof actions)[number];

function actionFrom(given = "list"): Action {
  const action = actions.find((candidate) => candidate === given);
  if (action) return action;
  throw new CliError("usage", `turnwire tokens cannot "${given}".${didYouMean(given, actions)}`);
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function millisecondsFrom(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  if (unit === "m" || unit === "h" || unit === "d") return Number(count) * unitMs[unit];
  throw new CliError("usage", `--expires takes a time such as 30m, 12h or 7d, not "${text}".`);
}

function wishFrom({ values }: TokensInvocation): CreateToken {
  const { scope, session, expires } = values;
  return {
    scope,
    ...(session !== undefined && { session_id: session }),
    ...(expires !== undefined && { expires_in_ms: millisecondsFrom(expires) }),
  };
}

function tableOf(tokens: readonly TokenInfo[], format: Format): string[] {
  if (tokens.length === 0) {
    return ["There are no scoped tokens. Make one: turnwire tokens create --scope read"];
  }
  const now = Date.now();
  const age = (time: string): string => ageText(now - Date.parse(time));
  const rows = tokens.map((token) => [
    format.colors.cyan(token.token_id),
    token.scope,
    token.session_id ?? "all",
    age(token.last_seen_at),
    age(token.created_at),
    token.expires_at?.slice(0, 16).replace("T", " ") ?? "when revoked",
  ]);
  const header = ["ID", "SCOPE", "SESSION", "LAST SEEN", "CREATED", "ENDS (UTC)"];
  return tableLines({ header, rows }, format);
}

async function create(client: TurnwireClient, invocation: TokensInvocation): Promise<string> {
  const created = await client.tokens.create(wishFrom(invocation));
  return invocation.values.json ? JSON.stringify(created) : created.token;
}

async function revoke(client: TurnwireClient, { positionals }: TokensInvocation): Promise<string> {
  const [, start] = positionals;
  if (start === undefined) {
    throw new CliError("usage", "Which token? turnwire tokens revoke ID");
  }
  const { tokens: known } = await client.tokens.list();
  const [found, ...more] = known.filter(({ token_id }) => token_id.startsWith(start));
  if (!found || more.length > 0) {
    const problem = found ? `"${start}" fits several tokens` : `There is no token "${start}"`;
    throw new CliError("usage", `${problem}: see turnwire tokens.`);
  }
  await client.tokens.revoke(found.token_id);
  return `Revoked ${found.token_id}.`;
}

async function list(client: TurnwireClient, invocation: TokensInvocation): Promise<string[]> {
  const { tokens: known } = await client.tokens.list();
  const { values, env, stdout } = invocation;
  if (values.json) return known.map((token) => JSON.stringify(token));
  return tableOf(known, formatFor(stdout, env));
}

export const tokens = defineCommand({
  name: "tokens",
  summary: "Make, list and revoke tokens that permit less than the server's own, or end",
  usage: [
    "tokens create [--scope read|operate|admin] [--session ID] [--expires TIME] [--json]",
    "tokens [list] [--json]",
    "tokens revoke ID",
  ],
  details:
    "create prints the token once; it is never shown again. read: to look at sessions and follow them; operate: to command them too, and to create some in the directories of --root, but nothing that is for admins; admin: everything, also making tokens. With --session, read and operate reach that session only. ID may be the beginning of an id, as long as it is the only one. What is open with a token ends at once when it is revoked, and within 30 seconds when its time is up; the server's own token is not affected. A new server token ends them all. With --json each token is one JSON object on a line of its own.",
  maxPositionals: 2,
  examples: [
    {
      command: "turnwire tokens create --scope read --expires 7d",
      meaning: "A token for a dashboard, for a week",
    },
    {
      command:
        "turnwire tokens create --scope operate --session 3f2a91c0-5d1e-4c53-9a5b-0e6f4d2c8b17",
      meaning: "A token for a program that works in one session",
    },
    { command: "turnwire tokens revoke 3f2a91c0", meaning: "End one before its time" },
  ],
  async run(invocation) {
    const { values, env, stdout, positionals } = invocation;
    const action = actionFrom(positionals[0]);
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const client = await connect({ url: values.url, dataDirectory, env });
    const lines = {
      list: () => list(client, invocation),
      create: async () => [await create(client, invocation)],
      revoke: async () => [await revoke(client, invocation)],
    };
    for (const line of await lines[action]()) stdout.write(`${line}\n`);
    return exitCode.ok;
  },
});
