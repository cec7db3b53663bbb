import type { SessionEvent } from "@turnwire/protocol";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { eventSummary } from "../session/event-summary.ts";
import { connect } from "../connection/server-address.ts";
import { presentEvents } from "../session/session-events.ts";
import { findSession } from "../session/session-selection.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { writeLine } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { truncate } from "../terminal/wrap.ts";

const SUMMARY_LENGTH = 300;

function eventLine(event: SessionEvent, format: Format): string {
  const { dim, cyan } = format.colors;
  const place = `${String(event.seq).padStart(6)} ${event.ts.slice(11, 23)}`;
  const name = event.type.padEnd(20);
  const scope = event.subagent_id === undefined ? "" : "│ ";
  const room = Math.min(format.width - place.length - name.length - 2, SUMMARY_LENGTH);
  const summary = safeLine(eventSummary(event)).trim();
  return `${dim(place)} ${cyan(name)} ${scope}${truncate(summary, Math.max(10, room - scope.length))}`;
}

export const tail = defineCommand({
  name: "tail",
  summary: "Print a session's events, one line each, as they happen",
  usage: ["tail ID [--after N] [--no-follow] [--json]"],
  details:
    "Reconnects by itself and continues where it was: no event is missed or repeated. Ends with code 0 when the session is deleted. With --json each line is an event's whole envelope.",
  maxPositionals: 1,
  examples: [
    { command: "turnwire tail 3f2a91c0", meaning: "Watch a session" },
    {
      command: "turnwire tail 3f2a91c0 --no-follow --json | jq -r .type | sort | uniq -c",
      meaning: "Count what happened in it",
    },
  ],
  async run(invocation) {
    const { values, stdout, env } = invocation;
    const [given] = invocation.positionals;
    if (given === undefined)
      throw new CliError("usage", "Missing session id. Usage: turnwire tail ID");
    if (values.follow && values["no-follow"]) {
      throw new CliError("usage", "--follow and --no-follow contradict each other: choose one.");
    }
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const client = await connect({ url: values.url, dataDirectory, env });
    const { session_id: id } = await findSession(client, given);
    const { after } = values;
    const events = values["no-follow"]
      ? presentEvents(client, id, after)
      : client.events(id, { after });
    const format = formatFor(stdout, env);
    for await (const event of events) {
      await writeLine(stdout, values.json ? JSON.stringify(event) : eventLine(event, format));
    }
    return exitCode.ok;
  },
});
