/**
 * A turn of Codex through Turnwire with SQLite, durable and fast, beside the same turn asked of a
 * bare app-server with the same settings and environment, by turns in the same run. The model is a
 * stand-in that answers at once.
 */
import { type CodexHome, codexHome } from "@turnwire/conformance/openai-standin";
import { codex } from "@turnwire/runtime-codex";
import { codexBinary } from "../packages/runtime-codex/src/setting/binary.ts";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BareCodex } from "./codex/bare.ts";
import { median, note, percentile, publish, type Row, round } from "./report.ts";
import { type BenchServer, type Session, startTurnwire } from "./server/turnwire.ts";
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
const durable = await startThrough("durable");
const fast = await startThrough("fast");
const bare = await BareCodex.start({
  binary: codexBinary(),
  env: (await homeFor("bare")).env,
  cwd: directory,
});
const times: Record<"durable" | "fast" | "bare", TurnTime[]> = { durable: [], fast: [], bare: [] };
const ways = [
  { samples: times.bare, turn: () => bare.turn(prompt) },
  { samples: times.durable, turn: () => turnThrough(durable.session) },
  { samples: times.fast, turn: () => turnThrough(fast.session) },
];
for (let count = 0; count < warmUp + turns; count += 1) {
  // By turns who goes first: a process still works a little after its turn.
  for (let place = 0; place < ways.length; place += 1) {
    const way = ways[(count + place) % ways.length];
    const time = await way?.turn();
    if (time && count >= warmUp) way?.samples.push(time);
  }
}
await bare.stop();
await durable.server.close();
await fast.server.close();
standin.close();
await rm(directory, { recursive: true });
note(JSON.stringify(times));
publish("codex", [{ title: `${turns} turns of 50 words, one after the other, ms`, rows: rows() }]);

async function homeFor(name: string): Promise<CodexHome> {
  const place = join(directory, name);
  await mkdir(place);
  return codexHome(place, standin);
}

async function startThrough(
  durability: "durable" | "fast",
): Promise<{ readonly server: BenchServer; readonly session: Session }> {
  const { path, env } = await homeFor(durability);
  const runtime = codex({ home: path, env });
  const server = await startTurnwire({ runtime, durability });
  return { server, session: await server.newSession() };
}

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
    rowOf("turnwire, durable", times.durable),
    rowOf("turnwire, fast", times.fast),
    addedBy("durable"),
    addedBy("fast"),
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
function addedBy(durability: "durable" | "fast"): Row {
  const added = (name: keyof TurnTime): number =>
    round(
      median(times[durability].map((turn, at) => turn[name] - (times.bare[at]?.[name] ?? 0))),
      1,
    );
  return {
    way: `added by ${durability}, median of pairs`,
    "first word p50": added("firstMs"),
    "end p50": added("endMs"),
  };
}
