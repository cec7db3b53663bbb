import type { AuditEntry } from "@turnwire/protocol";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { exitCode } from "../error/cli-error.ts";
import { defineCommand } from "../program/command.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

function tableOf(entries: readonly AuditEntry[], format: Format): string[] {
  if (entries.length === 0) return ["Nothing has been recorded yet."];
  const rows = entries.map((entry) => [
    String(entry.seq),
    entry.at.slice(0, 19).replace("T", " "),
    safeLine(entry.principal ?? ""),
    safeLine(entry.address ?? ""),
    safeLine(entry.action),
    safeLine(entry.outcome),
    (entry.session_id ?? "").slice(0, 8),
    safeLine(JSON.stringify(entry.details)),
  ]);
  const header = ["SEQ", "TIME (UTC)", "WHO", "FROM", "ACTION", "OUTCOME", "SESSION", "DETAILS"];
  return tableLines({ header, rows }, format);
}

export const audit = defineCommand({
  name: "audit",
  summary: "Show what people did on a server, and check that nothing of it was removed",
  usage: ["audit [--json]"],
  details:
    "Log-ins, trust, rules, modes, approvals and what admins changed, with the principal and the client's address, from audit.jsonl in the data directory. Each line has the hash of the one before: a line that was removed or changed is reported, and the command fails. Works with and without a running server. With --json, each entry is one line of JSON.",
  maxPositionals: 0,
  examples: [
    { command: "turnwire audit", meaning: "What was done, oldest first" },
    {
      command: "turnwire audit --json | jq -r 'select(.action == \"permission_response\")'",
      meaning: "Who allowed what",
    },
  ],
  async run(invocation) {
    const { values, env, stdout, stderr } = invocation;
    const { checkAudit, createAuditFile } = await import("@turnwire/server/standalone");
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const { entries, problem } = checkAudit(await createAuditFile(dataDirectory).read());
    const lines = values.json
      ? entries.map((entry) => JSON.stringify(entry))
      : tableOf(entries, formatFor(stdout, env));
    for (const line of lines) stdout.write(`${line}\n`);
    if (problem === undefined) return exitCode.ok;
    stderr.write(`The audit log is not whole. ${problem}\n`);
    return exitCode.failure;
  },
});
