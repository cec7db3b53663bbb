/**
 * Records the fixtures from the real app-server, all of them or those named as arguments:
 * `npx tsx --conditions=@turnwire/source packages/runtime-codex/src/test-support/record.ts [name…]`
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Recording } from "./recording.ts";
import { recordings } from "./recordings.ts";

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(recordings);

for (const name of names) {
  const script = recordings[name];
  if (!script) throw new Error(`No recording is named ${name}.`);
  const recording = await Recording.start(script.options);
  await script.play(recording);
  const lines = await recording.finish();
  const file = new URL(`../fixtures/${name}.ndjson`, import.meta.url);
  await writeFile(fileURLToPath(file), `${lines.join("\n")}\n`);
  process.stdout.write(`${name}: ${lines.length} messages\n`);
}
