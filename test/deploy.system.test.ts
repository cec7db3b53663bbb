import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { exitCode } from "../packages/cli/src/error/cli-error.ts";
import { commandOptions } from "../packages/cli/src/option/option-table.ts";
import { root } from "../tools/published-package.ts";

const run = promisify(execFile);

function textOf(path: string): Promise<string> {
  return readFile(join(root, path), "utf8");
}

const described = ["docs/guides/deploy.md", "deploy/turnwire.service", "Dockerfile"];

describe("what the deployment guide and its files name", () => {
  test.each(described)("%s: variables are those that turnwire serve reads", async (path) => {
    const known = Object.values(commandOptions.serve).map(({ variable }) => variable);
    const named = [...(await textOf(path)).matchAll(/\bTURNWIRE_[A-Z_]+/g)].map(([name]) => name);
    expect(named).not.toEqual([]);
    // The token has no flag: it would be seen in the list of processes.
    expect(named.filter((name) => ![...known, "TURNWIRE_TOKEN"].includes(name))).toEqual([]);
  });

  test("flags of turnwire serve are there", async () => {
    const guide = await textOf("docs/guides/deploy.md");
    const commands = [...guide.matchAll(/turnwire serve([^\n`|]*)/g)].map(([, rest = ""]) => rest);
    const quoted = [...guide.matchAll(/`--([a-z-]+)/g)].map(([, name = ""]) => name);
    const flags = commands.flatMap((rest) => [...rest.matchAll(/--([a-z-]+)/g)].map((m) => m[1]));
    const unknown = [...flags, ...quoted].filter(
      (name) => !Object.hasOwn(commandOptions.serve, name ?? ""),
    );
    expect(flags).not.toEqual([]);
    expect(unknown).toEqual([]);
  });
});

const analyzer = "/usr/bin/systemd-analyze";
if (!existsSync(analyzer)) {
  process.stderr.write("systemd-analyze is not there, so deploy/turnwire.service is not checked\n");
}

test.runIf(existsSync(analyzer))("systemd finds nothing wrong with the unit", async () => {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-unit-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const unit = join(directory, "turnwire.service");
  // The program need not be installed here.
  const text = (await textOf("deploy/turnwire.service")).replace(
    "ExecStart=/usr/local/bin/turnwire",
    "ExecStart=/usr/bin/env turnwire",
  );
  await writeFile(unit, text);
  const { stdout, stderr } = await run(analyzer, ["verify", "--man=no", unit]);
  expect(stdout + stderr).toBe("");
});

test("the unit is started again for as long as the database is away, but not with wrong usage", async () => {
  const unit = await textOf("deploy/turnwire.service");
  expect(unit).toMatch(/^Restart=on-failure$/m);
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(unit).toMatch(new RegExp(`^RestartPreventExitStatus=${exitCode.usage}$`, "m"));
});
