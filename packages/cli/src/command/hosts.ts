import type { HostInfo } from "@turnwire/protocol";
import { exitCode } from "../error/cli-error.ts";
import { defineCommand } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { connect } from "../connection/server-address.ts";
import { shortIds } from "../session/session-selection.ts";
import { ageText } from "../terminal/figure.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

function statusOf(host: HostInfo, { colors }: Format): string {
  if (!host.is_alive) return colors.red("lost");
  return host.is_draining ? colors.yellow("draining") : colors.green("live");
}

/** To the second where it matters: a lease is some seconds long. */
function seenText(ms: number): string {
  return ms < 60_000 ? `${Math.max(0, Math.round(ms / 1000))} s ago` : ageText(ms);
}

function tableOf(hosts: readonly HostInfo[], format: Format): string[] {
  const ids = shortIds(hosts.map(({ host_id }) => host_id));
  const now = Date.now();
  const age = (time: string): number => now - Date.parse(time);
  return tableLines(
    {
      header: [
        "ID",
        "NAME",
        "STATUS",
        "STORAGE",
        "SESSIONS",
        "AGENTS",
        "SEEN",
        "STARTED",
        "VERSION",
      ],
      rows: hosts.map((host) => [
        format.colors.cyan(ids.get(host.host_id) ?? host.host_id),
        safeLine(host.name) + (host.is_current ? " (this one)" : ""),
        statusOf(host, format),
        safeLine(host.storage),
        String(host.sessions),
        String(host.live_runs),
        seenText(age(host.seen_at)),
        ageText(age(host.started_at)),
        safeLine(host.version),
      ]),
    },
    format,
  );
}

export const hosts = defineCommand({
  name: "hosts",
  summary: "List the servers that share a store",
  usage: ["hosts [--json]"],
  details:
    "A server that does not share its store lists only itself. STATUS is live; draining: it takes no new work and stops when its turns have ended; or lost: it gave no sign of life for longer than its lease, and other hosts take over its sessions. SEEN and STARTED go by the clock of the store. With --json, each server is one line of JSON.",
  maxPositionals: 0,
  examples: [
    { command: "turnwire hosts", meaning: "Which servers are alive, and what they run" },
    {
      command: "turnwire hosts --json | jq -r 'select(.is_alive | not).name'",
      meaning: "The names of lost servers",
    },
  ],
  async run(invocation) {
    const { values, env, stdout } = invocation;
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const client = await connect({ url: values.url, dataDirectory, env });
    const { hosts: listed } = await client.hosts();
    const lines = values.json
      ? listed.map((host) => JSON.stringify(host))
      : tableOf(listed, formatFor(stdout, env));
    for (const line of lines) stdout.write(`${line}\n`);
    return exitCode.ok;
  },
});
