import { exitCode } from "../error/cli-error.ts";
import { defineCommand } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { checkDirectory, checkServer, checkTokenFile } from "../doctor/data.ts";
import type { Finding } from "../doctor/finding.ts";
import {
  checkBrowser,
  checkContainment,
  checkNode,
  checkPort,
  checkRuntime,
} from "../doctor/machine.ts";
import { checkStore } from "../doctor/store.ts";
import { containmentStatus } from "@turnwire/runtime/containment";
import { chooseRuntime } from "@turnwire/server/standalone";
import { findRunning } from "../connection/server-address.ts";
import { storeFrom } from "../configuration/store-choice.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";

function findingLines({ name, status, text, next }: Finding, { colors }: Format): string[] {
  const marks = { ok: colors.green("✓"), warning: colors.yellow("!"), problem: colors.red("✗") };
  const label = `${marks[status]} ${colors.bold(name.padEnd(15))}`;
  const hang = " ".repeat(18);
  return [
    `${label} ${safeLine(text)}`,
    ...(next === undefined ? [] : [colors.dim(hang + safeLine(next))]),
  ];
}

export const doctor = defineCommand({
  name: "doctor",
  summary: "Check what works on this machine, and how to fix what does not",
  usage: ["doctor [--json]"],
  details:
    "✓ is fine, ! can wait, ✗ keeps the server from starting. Ends with code 0 when turnwire serve would work, else with 1. With --json one object is printed: {ok, checks: [{name, status, text, next?}]}.",
  maxPositionals: 0,
  examples: [{ command: "turnwire doctor", meaning: "Check before you report a problem" }],
  async run(invocation) {
    const { values, env, stdout } = invocation;
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const running = await findRunning(dataDirectory);
    const runtimes = await invocation.createRuntimes({ dataDirectory, env });
    const defaultName = values.runtime ?? (await chooseRuntime(runtimes));
    const checks: Finding[] = [
      checkNode(process.version),
      await checkDirectory(dataDirectory),
      await checkTokenFile(dataDirectory, env),
      await checkStore(storeFrom(values, dataDirectory), running !== undefined),
      await checkServer(dataDirectory, running),
      ...(running ? [] : [await checkPort(values.host, values.port)]),
      ...(await Promise.all(runtimes.map((runtime) => checkRuntime(runtime, defaultName)))),
      checkContainment(containmentStatus()),
      await checkBrowser(env),
    ];
    const isFine = checks.every(({ status }) => status !== "problem");
    if (values.json) stdout.write(`${JSON.stringify({ ok: isFine, checks })}\n`);
    else {
      const format = formatFor(stdout, env);
      const lines = checks.flatMap((finding) => findingLines(finding, format));
      const verdict = isFine
        ? "All set: turnwire serve would work."
        : "turnwire serve would not work yet: see ✗ above.";
      stdout.write(`${[...lines, "", verdict].join("\n")}\n`);
    }
    return isFine ? exitCode.ok : exitCode.failure;
  },
});
