/**
 * A turn of Codex through Turnwire with durable SQLite, beside the same turn asked of a bare
 * app-server, in turns in the same run. The model is a stand-in that answers at once.
 */
import { codexHome, startOpenaiStandin } from "@turnwire/conformance/openai-standin";
import { codexBinary, createCodexRuntime } from "@turnwire/server";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BareCodex } from "./codex/bare.ts";
import { note, percentile, publish, round } from "./report.ts";
import { type Session, startTurnwire } from "./server/turnwire.ts";

/** Milliseconds from the wish to the first word, and to the end of the turn. */
export interface TurnTime {
  readonly firstMs: number;
  readonly endMs: number;
}

const warmUp = 10;
const turns = 100;
const prompt = "SCENARIO:long 50";

const directory = await mkdtemp(join(tmpdir(), "turnwire-bench-codex-"));
const standin = await startOpenaiStandin();
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
  const bareTime = await bare.turn(prompt);
  const ownTime = await turnThrough(session);
  if (count < warmUp) continue;
  times.bare.push(bareTime);
  times.turnwire.push(ownTime);
}
await bare.stop();
await turnwire.close();
await standin.close();
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

function rows() {
  const figures = (["bare", "turnwire"] as const).map((way) => ({
    way,
    "first word p50": at(times[way], "firstMs", 0.5),
    "end p50": at(times[way], "endMs", 0.5),
    "end p90": at(times[way], "endMs", 0.9),
  }));
  const [base, own] = figures;
  if (!base || !own) return figures;
  return [
    ...figures,
    {
      way: "difference",
      "first word p50": round(own["first word p50"] - base["first word p50"], 1),
      "end p50": round(own["end p50"] - base["end p50"], 1),
      "end p90": round(own["end p90"] - base["end p90"], 1),
    },
  ];
}

function at(samples: readonly TurnTime[], name: keyof TurnTime, share: number): number {
  const sorted = Float64Array.from(samples, (sample) => sample[name]).toSorted();
  return round(percentile(sorted, share), 1);
}
