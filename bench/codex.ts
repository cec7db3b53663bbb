/**
 * A turn of Codex through Turnwire with durable SQLite, beside the same turn asked of a bare
 * app-server with the same settings and environment, by turns in the same run. The model is a
 * stand-in that answers at once.
 */
import { codexHome } from "@turnwire/conformance/openai-standin";
import { codexBinary, createCodexRuntime } from "@turnwire/server";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BareCodex } from "./codex/bare.ts";
import { median, note, percentile, publish, type Row, round } from "./report.ts";
import { type Session, startTurnwire } from "./server/turnwire.ts";
import { startStandinProcess } from "./standin-process.ts";

/** Milliseconds from the wish to the first word, and to the end of the turn. */
export interface TurnTime {
  readonly firstMs: number;
  readonly endMs: number;
}

const warmUp = 10;
const turns = 100;
const prompt = "SCENARIO:long 50";

const directory = await mkdtemp(join(tmpdir(), "turnwire-bench-codex-"));
const standin = await startStandinProcess("openai");
const [ours, theirs] = await Promise.all(
  ["turnwire", "bare"].map(async (name) => {
    const place = join(directory, name);
    await mkdir(place);
    return codexHome(place, standin);
  }),
);
if (!ours || !theirs) throw new Error("There are two homes.");
const turnwire = await startTurnwire({
  runtime: createCodexRuntime({ home: ours.path, env: ours.env }),
});
const bare = await BareCodex.start({
  binary: codexBinary(),
  env: theirs.env,
  cwd: directory,
});
const session = await turnwire.newSession();
const times: Record<"turnwire" | "bare", TurnTime[]> = { turnwire: [], bare: [] };
for (let count = 0; count < warmUp + turns; count += 1) {
  // By turns who goes first: a process still works a little after its turn.
  const first = count % 2 === 0 ? await bare.turn(prompt) : undefined;
  const through = await turnThrough(session);
  const alone = first ?? (await bare.turn(prompt));
  if (count < warmUp) continue;
  times.turnwire.push(through);
  times.bare.push(alone);
}
await bare.stop();
await turnwire.close();
standin.close();
await rm(directory, { recursive: true });
note(JSON.stringify(times));
publish("codex", [{ title: `${turns} turns of 50 words, one after the other, ms`, rows: rows() }]);

/** From the message to the commit of the first delta, and of the turn's end. */
async function turnThrough(session: Session): Promise<TurnTime> {
  const start = performance.now();
  let firstMs = Number.NaN;
  const ended = new Promise<number>((resolve, reject) => {
    const leave = session.log.subscribe({
      onEvents: (events) => {
        const now = performance.now() - start;
        if (Number.isNaN(firstMs) && events.some(({ type }) => type === "delta")) firstMs = now;
        if (!events.some(({ type }) => type === "done")) return;
        leave();
        resolve(now);
      },
      onEnd: (reason) => reject(new Error(`The log ended: ${reason}.`)),
    });
  });
  const said = await session.execute(
    { type: "user_message", content: prompt },
    { id: "local", isAdmin: true },
  );
  if (!said.ok) throw new Error(said.error.message);
  const endMs = await ended;
  return { firstMs, endMs };
}

function rows(): Row[] {
  return [
    rowOf("bare", times.bare),
    rowOf("turnwire", times.turnwire),
    {
      way: "added, median of pairs",
      "first word p50": addedMs("firstMs"),
      "end p50": addedMs("endMs"),
    },
  ];
}

function rowOf(way: string, samples: readonly TurnTime[]): Row {
  const ends = samples.map(({ endMs }) => endMs).toSorted((left, right) => left - right);
  return {
    way,
    "first word p50": round(median(samples.map(({ firstMs }) => firstMs)), 1),
    "end p50": round(percentile(ends, 0.5), 1),
    "end p90": round(percentile(ends, 0.9), 1),
  };
}

/** Each turn through Turnwire against the bare one beside it, which met the same neighbours. */
function addedMs(name: keyof TurnTime): number {
  const added = times.turnwire.map((turn, index) => turn[name] - (times.bare[index]?.[name] ?? 0));
  return round(median(added), 1);
}
