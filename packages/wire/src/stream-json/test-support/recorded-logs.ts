import { isDeepStrictEqual } from "node:util";
import {
  type Block,
  fold,
  foldAll,
  initialState,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import { expect, test } from "vitest";
import { claudeNormalizer } from "../../../../runtime-claude/src/normalize/normalize.ts";
import { state, turnSent } from "../../../../runtime-claude/src/test-support/spoken.ts";
import { codexNormalizer } from "../../../../runtime-codex/src/normalize/normalize.ts";
import { demoScenarios } from "../../../../runtime/src/demo/scenario/catalog.ts";
import { play, start } from "../../../../runtime/src/demo/test-support/player.ts";
import { Fixtures, Replay } from "../../../../runtime/src/test-support/replay.ts";
import type { Frame } from "../../dialect.ts";
import { streamJson } from "../stream-json.ts";
import { lineFaults } from "./line-grammar.ts";
import { openInputs, streamJsonView } from "./stream-json-view.ts";

const claude = new Fixtures(new URL("../../../../runtime-claude/src/fixtures/", import.meta.url));
const codex = new Fixtures(new URL("../../../../runtime-codex/src/fixtures/", import.meta.url));
const logs: { name: string; log: () => readonly SessionEvent[] }[] = [
  ...claude.names().map((name) => ({
    name: `claude ${name}`,
    log: () => Replay.of(claudeNormalizer, claude.read(name)).log,
  })),
  ...codex.names().map((name) => ({
    name: `codex ${name}`,
    log: () => Replay.of(codexNormalizer, codex.read(name)).log,
  })),
];

/** What a projection cannot take back, and what it would say twice. */
function isTakenBack({ type, data }: SessionEvent): boolean {
  return type === "message_complete" && data.retracted === true;
}

function framesByEvent(events: readonly SessionEvent[], after = 0): (readonly Frame[])[] {
  let before = foldAll(initialState(), events.slice(0, after));
  return events.slice(after).map((event) => {
    const frames = streamJson.frames(before, event);
    before = fold(before, event);
    return frames;
  });
}

/** What does not hold of a log: its frames are well formed, and the same live, replayed and joined late. */
function faultsOf(events: readonly SessionEvent[], cuts: number): string[] {
  const live = framesByEvent(events);
  const faults = lineFaults(live.flat());
  const whole = streamJsonView(live.flat());
  const step = Math.max(1, Math.floor(events.length / cuts));
  for (let cut = 1; cut <= events.length; cut += step) {
    if (!isDeepStrictEqual(framesByEvent(events, cut), live.slice(cut))) {
      faults.push(`replayed after ${cut}`);
    }
    if (events.some(isTakenBack)) continue;
    const opening = streamJson.opening(foldAll(initialState(), events.slice(0, cut)));
    const joined = streamJsonView([...opening, ...live.slice(cut).flat()]);
    if (!isDeepStrictEqual(joined, whole)) faults.push(`joined after ${cut}`);
    const seen = openInputs(live.slice(0, cut).flat());
    if (!isDeepStrictEqual(openInputs(opening), seen)) faults.push(`open inputs after ${cut}`);
  }
  return faults;
}

/** What was said and done, without what this wire has no words for. */
function conversationOf({ messages }: SessionState): unknown {
  const shownIn = (blocks: readonly Block[]): unknown[] =>
    blocks.flatMap((block): unknown[] => {
      if (block.type === "text" || block.type === "thinking") {
        return block.text === "" ? [] : [{ type: block.type, text: block.text }];
      }
      if (block.type === "subagent") return [{ id: block.subagent_id, in: shownIn(block.blocks) }];
      if (block.type !== "tool" || block.status === "preparing") return [];
      if (block.partial_input !== undefined) return [];
      const { tool_use_id: id, tool, input = {}, status } = block;
      return [{ id, tool, input, isError: status === "failed" }];
    });
  return messages.flatMap((message) =>
    message.role === "agent" && message.blocks.length > 0 ? shownIn(message.blocks) : [],
  );
}

/** The lines as the CLI's own: what our Claude runtime makes of them. */
function readAsClaude(events: readonly SessionEvent[]): SessionState {
  const spoken = framesByEvent(events).flatMap((frames, index) => {
    const event = events[index];
    const lines = frames.map(({ data }): unknown => JSON.parse(data));
    if (event?.type === "turn_started") {
      const { turn_id } = event.data;
      return [turnSent(turn_id, turn_id), state("running"), ...lines];
    }
    return event?.type === "done" ? [...lines, state("idle")] : lines;
  });
  return foldAll(initialState(), Replay.of(claudeNormalizer, spoken).log);
}

/** What holds of every recorded log; readers join at about so many places of each. */
export function testRecordedLogs(cuts: number): void {
  test.each(logs)("$name: well formed, and the same live, replayed and joined late", ({ log }) => {
    expect(faultsOf(log(), cuts)).toEqual([]);
  });

  // A process of its own dies in the other.
  const scenarios = demoScenarios.filter(({ name }) => name !== "crash");
  test.each(scenarios)("demo $name: the same", async ({ name }) => {
    const recorder = await start({ model: "demo-large" });
    await play(recorder, `/${name}`);
    expect(faultsOf(recorder.events.slice(0, 600), cuts)).toEqual([]);
  });

  const readable = logs.filter(
    // In the first, text after the end of its turn is streamed again as a whole, for those who joined since.
    // In the second a command outlives its turn, which no tool of Claude does.
    ({ name }) => name !== "codex agent-behind" && name !== "codex background",
  );
  test.each(readable)("$name: the Claude runtime reads in it what was said and done", ({ log }) => {
    const events = log();
    if (events.some(isTakenBack)) return;
    expect(conversationOf(readAsClaude(events))).toEqual(
      conversationOf(foldAll(initialState(), events)),
    );
  });
}
