/**
 * Records the fixtures from the real `codex exec`, all of them or those named as arguments:
 * `npx tsx --conditions=@turnwire/source packages/server/src/1-runtime/codex/exec/test-support/record.ts [name…]`
 */
import { codexHome, startOpenaiStandin } from "@turnwire/conformance/openai-standin";
import { JsonObject } from "@turnwire/protocol";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "@turnwire/runtime/process";
import { codexBinary } from "../../setting/binary.ts";
import { Anonymizer } from "../../test-support/anonymous.ts";

/** The turns of each fixture; from the second on they resume the thread of the first. */
const recordings: Readonly<Record<string, readonly string[]>> = {
  plain: ["hello", "again"],
  thinking: ["SCENARIO:thinking Yes."],
  command: ["SCENARIO:tool echo hi", "SCENARIO:tool echo bad >&2; exit 3"],
  patch: ["SCENARIO:write a.txt"],
  plan: ["SCENARIO:plan"],
  mcp: ['SCENARIO:mcp lab/echo {"text":"hi"}'],
  search: ["SCENARIO:search turnwire"],
  "cut-once": ["SCENARIO:cut-once"],
  error: ["SCENARIO:error 400", "hello"],
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(recordings);
for (const name of names) {
  const lines = await record(recordings[name] ?? []);
  const file = new URL(`../fixtures/${name}.ndjson`, import.meta.url);
  await writeFile(fileURLToPath(file), `${lines.join("\n")}\n`);
  process.stdout.write(`${name}: ${lines.length} messages\n`);
}

async function record(prompts: readonly string[]): Promise<string[]> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "turnwire-record-")));
  const cwd = join(directory, "project");
  await mkdir(cwd);
  const standin = await startOpenaiStandin();
  const server = fileURLToPath(new URL("../../test-support/mcp-server.js", import.meta.url));
  const settings = `[mcp_servers.lab]\ncommand = "${process.execPath}"\nargs = ["${server}"]`;
  const home = await codexHome(directory, standin, { settings });
  const env = { ...childEnvironment(["PATH"]), ...home.env };
  const messages: JsonObject[] = [];
  for (const [index, prompt] of prompts.entries()) {
    const sent = { type: "turnwire/turn_sent", turn_id: `turn-${index + 1}` };
    messages.push({ ...sent, is_first: index === 0 });
    const resume = index === 0 ? [] : ["resume", "--last"];
    const options = ["--json", "--skip-git-repo-check", "--sandbox", "danger-full-access"];
    messages.push(...(await linesOf(["exec", ...options, ...resume, prompt], { cwd, env })));
  }
  await standin.close();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  const places = { [directory]: "/sandbox", [basename(directory)]: "sandbox" };
  const anonymizer = new Anonymizer({ ...places, [standin.url]: "http://standin" });
  return messages.map((message, index) => JSON.stringify(anonymizer.anonymize(message, index)));
}

/** What one process writes; a turn that fails ends it with code 1. */
function linesOf(
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<JsonObject[]> {
  return new Promise((resolve) => {
    const child = execFile(codexBinary(), args, options, (_failure, stdout) => {
      const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
      resolve(lines.map((line) => JsonObject.parse(JSON.parse(line))));
    });
    child.stdin?.end();
  });
}
