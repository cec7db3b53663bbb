import { describe, expect, test } from "vitest";
import type { OpenSession } from "../../wire/src/open-session.ts";
import type { FrameSource } from "@turnwire/wire";
import { startServer } from "../../server/src/4-transport/test-support/running-server.ts";
import { MAX_FOLLOWED } from "./limit.ts";
import { RelayFrames } from "./relay-frames.ts";

/** A session's frames as a test has them: the reads that are left. */
class TestFrames implements FrameSource {
  readonly end = undefined;
  readonly texts: string[];
  #seq: number;

  constructor(seq: number, texts: string[]) {
    this.#seq = seq;
    this.texts = texts;
  }

  after(): ReturnType<FrameSource["after"]> {
    const text = this.texts.shift();
    if (text === undefined) return { type: "caught_up" };
    this.#seq += 1;
    return { type: "frames", bytes: Buffer.from(text), last: this.#seq };
  }

  subscribe(): () => void {
    return () => undefined;
  }
}

async function startFrames(texts: Readonly<Record<string, string[]>>) {
  const running = await startServer();
  const released: string[] = [];
  const frames = new RelayFrames({
    framesOf: ({ id, log }: OpenSession) => ({
      frames: new TestFrames(log.head, texts[id] ?? []),
      release: () => void released.push(id),
    }),
    onLost: ({ id }, reason) => expect([id, reason]).toBeUndefined(),
    onError: (error) => expect(error).toBeUndefined(),
  });
  const follow = async (id: string): Promise<void> => {
    await running.createSession({ session_id: id });
    frames.follow(await running.session(id));
  };
  /** Reads on until there was such a frame. */
  const readUntil = async (last: string): Promise<string[]> => {
    const found: string[] = [];
    while (found.at(-1) !== last) {
      const next = frames.after(0);
      if (next.type === "frames") found.push(String(next.bytes));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  };
  return { frames, follow, readUntil, released };
}

describe("the frames of a front end", () => {
  test("come from every session in its order, however much another has to say", async () => {
    const much = Array.from({ length: 100_000 }, (_, index) => `m${index}`);
    const { follow, readUntil } = await startFrames({ much: [...much], some: ["s0", "s1"] });
    await follow("much");
    await follow("some");
    const found = await readUntil("s1");
    expect(found.filter((text) => text.startsWith("s"))).toEqual(["s0", "s1"]);
    const said = found.filter((text) => text.startsWith("m"));
    expect(said).toEqual(much.slice(0, said.length));
    expect(found.slice(-3)).toEqual(["s0", expect.stringMatching(/^m/), "s1"]);
  });

  test("are of so many sessions only: the one that has been silent for longest is left", async () => {
    const { frames, follow, readUntil, released } = await startFrames({
      s0: ["a", "b"],
      s1: [],
    });
    for (let index = 0; index < MAX_FOLLOWED; index += 1) await follow(`s${index}`);
    await readUntil("b");
    await follow("another");
    expect(frames.sessions).toHaveLength(MAX_FOLLOWED);
    expect(frames.has("s0")).toBe(true);
    expect(released).toEqual(["s1"]);
    frames.release();
    expect(frames.sessions).toEqual([]);
    expect(new Set(released).size).toBe(MAX_FOLLOWED);
  });
});
