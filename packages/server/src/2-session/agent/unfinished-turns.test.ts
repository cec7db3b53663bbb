import type { CommandOf } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { type LostInput, RuntimeError } from "@turnwire/runtime";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import { readUnfinishedTurns } from "./unfinished-turns.ts";
import type { Session } from "../session.ts";

type Command = Parameters<Session["execute"]>[0];

/** A session of a scripted agent that can be made to end its turns, or to die in them. */
async function openSession(options: Parameters<typeof openTestHost>[0] = {}) {
  const runtime = new ScriptedRuntime({ images: true });
  const { host } = openTestHost({ runtimes: [runtime], ...options });
  const session = await createTestSession(host);
  const execute = async (command: Command) => {
    const result = await session.execute(command, admin);
    if (!result.ok) throw new Error(result.error.message);
    return result.value;
  };
  const begin = async (content: CommandOf<"user_message">["content"]) =>
    runtime.sent((await execute({ type: "user_message", content })).messageId);
  const atRest = async () => {
    await expect.poll(() => session.control.turn).toBe(null);
  };
  return {
    session,
    runtime,
    execute,
    begin,
    atRest,
    /** A turn that its agent ends. */
    play: async (content: string) => {
      const { run, turnId } = await begin(content);
      run.finish(turnId);
      await atRest();
      return turnId;
    },
    /** A turn in which the agent dies. */
    lose: async (content: CommandOf<"user_message">["content"]) => {
      const { run, turnId } = await begin(content);
      run.die("killed");
      await atRest();
      return turnId;
    },
    lost: () => readUnfinishedTurns(session.log),
  };
}

function words(inputs: readonly LostInput[]): string[] {
  return inputs.flatMap(({ content }) =>
    content.map((block) => (block.type === "text" ? block.text : block.type)),
  );
}

describe("what was said in turns that no agent has ended", () => {
  test("is nothing in a new session, and nothing after a turn that its agent ended", async () => {
    const { play, lost } = await openSession();
    expect(await lost()).toEqual({ inputs: [], isWhole: true });
    await play("one");
    expect(await lost()).toEqual({ inputs: [], isWhole: false });
  });

  test("is what the lost turns at the end were asked, oldest first, also while the next one runs", async () => {
    const { play, lose, lost, begin } = await openSession();
    await lose("long forgotten");
    await play("one");
    const second = await lose("two");
    const third = await lose("three");
    const expected = [
      { turnId: second, isSteer: false },
      { turnId: third, isSteer: false },
    ];
    const { inputs, isWhole } = await lost();
    expect(inputs).toMatchObject(expected);
    expect(words(inputs)).toEqual(["two", "three"]);
    expect(isWhole).toBe(false);
    const { run } = await begin("four");
    expect(await run.options.unfinishedTurns?.()).toEqual({ inputs, isWhole });
  });

  test("is the whole conversation when there was no other turn", async () => {
    const { lose, lost } = await openSession();
    await lose("one");
    const { inputs, isWhole } = await lost();
    expect(words(inputs)).toEqual(["one"]);
    expect(isWhole).toBe(true);
  });

  test("has what joined the lost turn, but not what waits in the queue", async () => {
    const { play, begin, execute, lost, atRest, session, runtime } = await openSession();
    await play("one");
    const { run, turnId } = await begin("two");
    await execute({ type: "steer", content: "faster" });
    await run.wasAsked("steer");
    await execute({ type: "user_message", content: "three", delivery: "queue" });
    await execute({ type: "steer", content: "and better" });
    await run.wasAsked("steer", 2);
    run.die("killed");
    await expect.poll(() => session.control.turn?.turn_id).not.toBe(turnId);
    const { inputs } = await lost();
    expect(words(inputs)).toEqual(["two", "faster", "and better"]);
    expect(inputs.map(({ isSteer }) => isSteer)).toEqual([false, true, true]);
    const queued = session.control.turn;
    const { run: next } = await runtime.sent(queued?.message_id);
    next.finish(queued?.turn_id ?? "");
    await atRest();
    expect((await lost()).inputs).toEqual([]);
  });

  test("has no turn that was rolled back, and those before it again", async () => {
    const { play, lose, lost, execute } = await openSession();
    await play("one");
    await lose("two");
    const third = await play("three");
    expect((await lost()).inputs).toEqual([]);
    await execute({ type: "rollback", turn_id: third });
    expect(words((await lost()).inputs)).toEqual(["two"]);
  });

  test("is found behind turns that were refused for good, which are left out", async () => {
    const { play, lose, lost, runtime, execute, session } = await openSession();
    await play("one");
    await lose("two");
    for (const code of ["conversation_missing", "invalid_input"] as const) {
      runtime.startError = new RuntimeError(code, "never");
      await execute({ type: "user_message", content: code });
      await expect.poll(() => session.control.turn).toBe(null);
    }
    expect(words((await lost()).inputs)).toEqual(["two"]);
  });

  test("is found however long the turn and the log are", async () => {
    const { play, begin, execute, lost, atRest, runtime } = await openSession();
    await play("one");
    const { run, turnId } = await begin("first of the queue");
    const said = await execute({ type: "user_message", content: "two", delivery: "queue" });
    const place = { turn_id: turnId };
    for (let index = 0; index < 1500; index += 1) {
      run.say({ type: "notice", data: { level: "info", text: `${index}` }, ...place });
    }
    run.finish(turnId);
    const queued = await runtime.sent(said.messageId);
    queued.run.die("killed");
    await atRest();
    expect(words((await lost()).inputs)).toEqual(["two"]);
  });

  test("is whole, also where it is stored beside the log", async () => {
    const { lose, lost } = await openSession();
    const data = Buffer.alloc(1024 * 1024, "picture").toString("base64");
    const source = { type: "base64", media_type: "image/png", data } as const;
    await lose([{ type: "image", source }]);
    const [input] = (await lost()).inputs;
    expect(input).not.toHaveProperty("attachments");
    const [block] = input?.content ?? [];
    expect(block?.type === "image" && block.source.data === data).toBe(true);
  });

  test("is whole and in order where several turns with large messages were lost", async () => {
    const { play, lose, lost } = await openSession();
    await play("one");
    const large = ["a", "b", "c"].map((letter) => letter.repeat(1_000_000));
    for (const content of large) await lose(content);
    await lose("small");
    expect(words((await lost()).inputs).map((text) => text === "small" || text[0])).toEqual([
      "a",
      "b",
      "c",
      true,
    ]);
    expect(words((await lost()).inputs)).toEqual([...large, "small"]);
  });

  test("leaves out the oldest where it would be too large for a host", async () => {
    const { lose, session } = await openSession();
    const data = Buffer.alloc(1024 * 1024).toString("base64");
    const source = { type: "base64", media_type: "image/png", data } as const;
    await lose("small");
    for (let count = 0; count < 3; count += 1) await lose([{ type: "image", source }]);
    const { inputs, isWhole } = await readUnfinishedTurns(session.log, 2.5 * 1024 * 1024);
    const leftOut = "[A large message is left out here.]";
    expect(words(inputs)).toEqual(["small", leftOut, "image", "image"]);
    expect(isWhole).toBe(true);
  });

  test("is known when retention has removed its beginning", async () => {
    const { begin, lost, session, atRest } = await openSession({ retainEvents: 20 });
    const { run, turnId } = await begin("one");
    const place = { turn_id: turnId };
    for (let index = 0; index < 200; index += 1) {
      run.say({ type: "notice", data: { level: "info", text: `${index}` }, ...place });
    }
    await expect.poll(() => session.log.oldest).toBeGreaterThan(5);
    run.die("killed");
    await atRest();
    const { inputs, isWhole } = await lost();
    expect(words(inputs)).toEqual(["one"]);
    expect(isWhole).toBe(false);
  });
});
