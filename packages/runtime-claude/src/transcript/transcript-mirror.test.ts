import { StoreError } from "@turnwire/log";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryTranscripts } from "../../../server/src/test-support/memory-transcripts.ts";
import { TranscriptMirror } from "./transcript-mirror.ts";

const id = "27472374-2dee-4eff-ba6d-b2e48faf9a6f";
const key = { projectKey: "any", sessionId: id };
const lease = { sessionId: "session", generation: 1 };
const entry = (uuid: string) => ({ type: "user", uuid });

let projects: string;
let transcripts: MemoryTranscripts;

beforeEach(async () => {
  projects = await mkdtemp(join(tmpdir(), "turnwire-transcript-"));
  transcripts = new MemoryTranscripts();
});
afterEach(() => rm(projects, { recursive: true }));

function openMirror(): TranscriptMirror {
  const port = {
    append: transcripts.appendTranscript.bind(transcripts),
    load: transcripts.loadTranscript.bind(transcripts),
    listParts: transcripts.listTranscriptParts.bind(transcripts),
  };
  const append = (
    lineKey: Parameters<typeof port.load>[0],
    lines: Parameters<typeof port.append>[2],
  ) => port.append(lineKey, lease, lines);
  return new TranscriptMirror({ port: { ...port, append }, projects, cwd: "/work/my project" });
}

/** What a CLI does: it writes the line, then reports it. */
async function write(mirror: TranscriptMirror, uuid: string): Promise<void> {
  const path = join(projects, "-work", `${id}.jsonl`);
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${JSON.stringify(entry(uuid))}\n`);
  await mirror.append(key, [entry(uuid)]);
}

async function storedIds(part?: string): Promise<(string | undefined)[] | undefined> {
  const place = { conversation: id, ...(part !== undefined && { part }) };
  return (await transcripts.loadTranscript(place))?.map((line) => line.id);
}

test("lines that could not be stored are stored before any later one", async () => {
  const mirror = openMirror();
  await write(mirror, "a");
  transcripts.problem = new StoreError("unavailable", "away");
  await expect(write(mirror, "b")).rejects.toThrow("away");
  await expect(write(mirror, "c")).rejects.toThrow("away");
  transcripts.problem = undefined;
  await write(mirror, "d");
  expect(await storedIds()).toEqual(["a", "b", "c", "d"]);
  await write(mirror, "e");
  expect(await storedIds()).toEqual(["a", "b", "c", "d", "e"]);
});

test("a conversation of another machine is written where the CLI of the directory looks, with its parts and what is known of them", async () => {
  const part = "subagents/agent-1";
  const text = JSON.stringify(entry("a"));
  await transcripts.appendTranscript({ conversation: id }, lease, [{ id: "a", text }]);
  await transcripts.appendTranscript({ conversation: id, part }, lease, [
    { text: '{"type":"agent_metadata","agentType":"explore"}' },
    { id: "b", text },
  ]);
  expect(await openMirror().prepare(id)).toBe(true);
  const folder = join(projects, "-work-my-project");
  expect(await readFile(join(folder, `${id}.jsonl`), "utf8")).toBe(`${text}\n`);
  expect(await readFile(join(folder, id, `${part}.jsonl`), "utf8")).toBe(`${text}\n`);
  const metadata = await readFile(join(folder, id, `${part}.meta.json`), "utf8");
  expect(JSON.parse(metadata)).toEqual({ agentType: "explore" });
});

test("no part is written outside of the conversation's folder", async () => {
  const text = JSON.stringify(entry("a"));
  await transcripts.appendTranscript({ conversation: id }, lease, [{ id: "a", text }]);
  for (const part of ["../../escaped", "/tmp/escaped", "a/../../../escaped", "..", ""]) {
    await transcripts.appendTranscript({ conversation: id, part }, lease, [{ id: "b", text }]);
  }
  await openMirror().prepare(id);
  expect(await readdir(projects, { recursive: true })).toEqual([
    "-work-my-project",
    join("-work-my-project", `${id}.jsonl`),
  ]);
});

test("what was written here apart from the others gives way to theirs and is kept beside it", async () => {
  const mirror = openMirror();
  await write(mirror, "a");
  const path = join(projects, "-work", `${id}.jsonl`);
  await appendFile(path, `${JSON.stringify(entry("mine"))}\n`);
  await transcripts.appendTranscript({ conversation: id }, lease, [
    { id: "theirs", text: JSON.stringify(entry("theirs")) },
  ]);
  expect(await mirror.isDiverged(id)).toBe(true);
  await mirror.prepare(id);
  expect(await mirror.isDiverged(id)).toBe(false);
  expect((await mirror.load(key))?.map(({ uuid }) => uuid)).toEqual(["a", "theirs"]);
  const files = await readdir(dirname(path));
  const old = files.find((name) => name.startsWith(`${id}.jsonl.replaced-`)) ?? "";
  expect(await readFile(join(dirname(path), old), "utf8")).toContain("mine");
});

test("a line that the CLI was killed in is left out, and the next whole ones are stored", async () => {
  const path = join(projects, "-work", `${id}.jsonl`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(entry("a"))}\n{"type":"user","uu`);
  expect(await openMirror().prepare(id)).toBe(true);
  expect(await storedIds()).toEqual(["a"]);
});

test("a conversation that neither this machine nor the store has is missing", async () => {
  expect(await openMirror().prepare(id)).toBe(false);
  expect(await openMirror().load(key)).toBeNull();
  expect(await readdir(projects)).toEqual([]);
});
