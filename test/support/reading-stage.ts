import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, type TransportName, type TurnwireClient } from "@turnwire/client";
import { foldAll, initialState } from "@turnwire/protocol";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { CrashingServer, token } from "./crashing-server.ts";
import { CuttingProxy, type Cut } from "./cutting-proxy.ts";
import type { Reading, ReadingOptions } from "./session-reading.ts";

/** As long as the runner lets a test run: a server is started twice and a program loaded, on whatever machine. */
export const timeout = 240_000;

/** The client and a program around it in one file that any runtime loads. */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2023",
    conditions: ["@turnwire/source"],
  });
  return outputFiles[0]?.text ?? "";
}

export interface Stage {
  readonly proxy: CuttingProxy;
  /** Past the proxy. */
  readonly direct: TurnwireClient;
  readonly sessionId: string;
  /** Kills the server and starts it again, with the same file on the same port. */
  restart(): Promise<void>;
}

interface StagePlace {
  readonly directory: string;
  /** Pages that may read the session. */
  readonly origins?: readonly string[];
}

/** A server behind a connection that breaks, and a session whose agent speaks slowly. */
export async function setStage(place: StagePlace, ...cuts: Cut[]): Promise<Stage> {
  const data = await mkdtemp(join(place.directory, "data-"));
  const proxy = await CuttingProxy.start();
  proxy.cuts.push(...cuts);
  const doors = { allowedHosts: [proxy.host], allowedOrigins: place.origins ?? [] };
  let starting = CrashingServer.start(data, undefined, doors);
  onTestFinished(async () => {
    await proxy.close();
    await (await starting).kill();
  });
  const { url, port } = await starting;
  proxy.target = port;
  const direct = createClient({ url, token, random: () => 0.05 });
  const { session_id } = await direct.sessions.create({ params: { delay_ms: 12 } });
  return {
    proxy,
    direct,
    sessionId: session_id,
    restart: async () => {
      await (await starting).kill();
      starting = CrashingServer.start(data, undefined, { ...doors, port });
      await starting;
    },
  };
}

/** Says something and resolves when the agent has come to an event of that type. */
export async function say(
  { direct, sessionId }: Stage,
  message: string,
  until: string,
): Promise<void> {
  const { seq } = await direct.sessions.message(sessionId, { message });
  for await (const { type } of direct.events(sessionId, { after: seq })) if (type === until) return;
}

/** A conversation of three turns, with the server's death in the middle of the second. */
export async function play(stage: Stage): Promise<void> {
  await say(stage, "/thinking", "done");
  await playOn(stage);
}

export async function playOn(stage: Stage): Promise<void> {
  // It takes half an hour: longer than a test may, so it is not over before the server dies.
  await say(stage, "/long 5000", "delta");
  await stage.restart();
  await say(stage, "/plan", "done");
}

/** A fresh replay of the log, as far as a reading has come. */
export async function replay(
  { direct, sessionId }: Stage,
  { state, runtime }: Reading,
): Promise<Reading> {
  const { events } = await direct.sessions.eventPage(sessionId, { limit: 1_000 });
  const isLost = events.some(({ type, data }) => type === "error" && data.code === "turn_lost");
  if (!isLost) throw new Error("the server did not die in mid-turn");
  const read = events.slice(0, state.seq);
  return { seqs: read.map(({ seq }) => seq), state: foldAll(initialState(), read), runtime };
}

export const breaks: Cut[] = [
  { bytes: 0, of: "answer", by: "reset" },
  { bytes: 700, of: "body", by: "reset" },
  { bytes: 333, of: "body", by: "end" },
  { bytes: 150, of: "answer", by: "end" },
  { bytes: 1_500, of: "body", by: "reset" },
  { bytes: 2_000, of: "body", by: "end" },
];

/** The task of a program: to read all three turns, through the proxy. */
export function readingOptions(
  { proxy, sessionId }: Stage,
  transport: TransportName,
): ReadingOptions {
  return { url: proxy.url, token, sessionId, transport, turns: 3 };
}
