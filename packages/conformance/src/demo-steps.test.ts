import { demo } from "@turnwire/runtime/demo";
import { describe, expect, onTestFinished, test } from "vitest";
import { DemoSteps } from "./demo-steps.ts";

interface MessageText {
  readonly type: string;
  readonly text?: string;
  readonly reason?: string;
}

/** A demo agent whose messages are read as they come. */
async function startAgent(steps: DemoSteps) {
  const runtime = demo({ pace: steps });
  const run = await runtime.createRun({ sessionId: "s", cwd: "/" });
  const messages: MessageText[] = [];
  const ends: (() => void)[] = [];
  const reading = (async () => {
    for await (const message of run.messages) {
      // Messages of the demo have a type; the assertions look at the rest.
      messages.push(message as MessageText);
      if (messages.at(-1)?.type === "turn_end") ends.shift()?.();
    }
  })();
  onTestFinished(async () => {
    await run.close();
    await reading;
  });
  let turns = 0;
  return {
    run,
    messages,
    /** Starts a turn, and answers with a promise of its end. */
    say: async (text: string) => {
      const end = new Promise<void>((resolve) => ends.push(resolve));
      const turnId = `t${(turns += 1)}`;
      await run.send({ turnId, messageId: `m${turnId}`, content: [{ type: "text", text }] });
      return { ended: end };
    },
    get words(): string[] {
      return messages.flatMap(({ type, text = "" }) => (type === "text" ? [text.trim()] : []));
    },
  };
}

describe("the demo agent's steps", () => {
  test("let so many words through, and no more", async () => {
    const steps = new DemoSteps();
    const agent = await startAgent(steps);
    await agent.say("/flood 9");
    await steps.next(2);
    expect(agent.words).toEqual(["1", "2"]);
    await steps.next();
    expect(agent.words).toEqual(["1", "2", "3"]);
  });

  test("can be taken before the turn has begun", async () => {
    const steps = new DemoSteps();
    const agent = await startAgent(steps);
    const stepped = steps.next(2);
    await agent.say("/flood 9");
    await stepped;
    expect(agent.words).toEqual(["1", "2"]);
  });

  test("are dropped with the end of the turn: the next one has none of them", async () => {
    const steps = new DemoSteps();
    const agent = await startAgent(steps);
    const turn = await agent.say("/flood 3");
    await steps.next(100);
    await turn.ended;
    await agent.say("/flood 2");
    await steps.next();
    expect(agent.words).toEqual(["1", "2", "3", "1"]);
  });

  test("are not needed while it runs freely, and again after that", async () => {
    const steps = new DemoSteps();
    const agent = await startAgent(steps);
    const turn = await agent.say("/flood 500");
    await steps.next(3);
    steps.run();
    await turn.ended;
    expect(agent.words).toHaveLength(500);
    const stepped = steps.next();
    await agent.say("/flood 9");
    await stepped;
    expect(agent.words).toHaveLength(501);
  });

  test("hold no turn that is stopped, and nothing more is said", async () => {
    const steps = new DemoSteps();
    const agent = await startAgent(steps);
    const turn = await agent.say("/slow");
    await steps.next(2);
    await agent.run.interrupt();
    await turn.ended;
    expect(agent.words).toEqual(["1.", "Still"]);
    expect(agent.messages.at(-1)).toMatchObject({ type: "turn_end", reason: "interrupted" });
  });

  test("that come to a request continue with its answer", async () => {
    const steps = new DemoSteps();
    const agent = await startAgent(steps);
    const turn = await agent.say("/permission");
    let isStill = false;
    const stepped = steps.next(100).then(() => (isStill = true));
    const ask = () => agent.messages.find(({ type }) => type === "ask");
    await expect.poll(ask).toBeDefined();
    expect(isStill).toBe(false);
    const { id } = ask() as unknown as { id: string };
    await agent.run.answer({ type: "permission_response", correlation_id: id, behavior: "allow" });
    await Promise.all([stepped, turn.ended]);
  });

  test("are shared by all sessions, first come, first served", async () => {
    const steps = new DemoSteps();
    const [first, second] = [await startAgent(steps), await startAgent(steps)];
    await first.say("/flood 9");
    await steps.next();
    await second.say("/flood 9");
    await steps.next(4);
    const words = [first.words.length, second.words.length];
    expect(words.reduce((sum, count) => sum + count)).toBe(5);
    expect(Math.min(...words)).toBeGreaterThan(0);
  });
});
