import { Command, fold, type SessionEvent, type SessionState, validate } from "@turnwire/protocol";
import type { Frame, StatefulDialect } from "@turnwire/wire";
import { describe, expect, test } from "vitest";
import { runChecks } from "./check.ts";
import { dialectChecks, type DialectSubject } from "./dialect-checks.ts";
import { dialectContract } from "./dialect-contract.ts";
import { eventLogArbitrary } from "./event-log-arbitrary.ts";

/** An agent's text in pairs of characters, by the place of each: most logs have some. */
function pairsOf({ messages }: SessionState): Map<string, string> {
  const pairs = messages.flatMap((message) =>
    message.role === "agent"
      ? message.blocks.flatMap((block) =>
          block.type === "text"
            ? (block.text.match(/[^]{2}/g) ?? []).map((text, index): [string, string] => [
                `${block.key}/${index}`,
                text,
              ])
            : [],
        )
      : [],
  );
  return new Map(pairs);
}

function pairFrame([place, text]: [string, string]): Frame {
  return { name: "pair", data: JSON.stringify({ place, text }) };
}

/** Joins deltas into pairs: a frame per finished pair, so none for most events and many for some. */
function createPairDialect(): StatefulDialect {
  return {
    type: "stateful",
    name: "pairs",
    frames(before, event) {
      const known = pairsOf(before);
      return [...pairsOf(fold(before, event))]
        .filter(([place]) => !known.has(place))
        .map(pairFrame);
    },
    opening: (state) => [...pairsOf(state)].map(pairFrame),
    commandFrom: (input) => validate(Command, input),
  };
}

/** The same with a memory of its own instead of the state before. */
function createForgetfulDialect(): StatefulDialect {
  const known = new Map<string, string>();
  return {
    ...createPairDialect(),
    frames(before, event) {
      const fresh = [...pairsOf(fold(before, event))].filter(([place]) => !known.has(place));
      for (const [place, text] of fresh) known.set(place, text);
      return fresh.map(pairFrame);
    },
  };
}

/** A pair that was sent cannot be taken back: logs end before that. */
function isTakenBack({ type, data }: SessionEvent): boolean {
  return type === "rolled_back" || (type === "message_complete" && data.retracted === true);
}

const subject: DialectSubject = {
  createDialect: createPairDialect,
  view: (frames) => frames.map(({ data }) => data).toSorted(),
  log: eventLogArbitrary({ maxSteps: 25 }).map((events) => {
    const end = events.findIndex(isTakenBack);
    return end < 0 ? events : events.slice(0, end);
  }),
  inputs: [{ input: { type: "interrupt" }, command: { type: "interrupt" } }],
};

dialectContract("a stateful toy", subject);

describe("the dialect contract", () => {
  async function failuresOf(broken: Partial<DialectSubject>): Promise<string[]> {
    const failed: string[] = [];
    for await (const { name, failure } of runChecks(dialectChecks, { ...subject, ...broken })) {
      if (failure !== undefined) failed.push(name);
    }
    return failed;
  }

  test("finds a dialect that has a memory of its own", async () => {
    const failed = await failuresOf({ createDialect: createForgetfulDialect });
    expect(failed).toContain(
      "gives the same frames live and replayed from every position, in any process",
    );
  });

  test("finds an opening that leaves something out", async () => {
    const createDialect = (): StatefulDialect => ({ ...createPairDialect(), opening: () => [] });
    expect(await failuresOf({ createDialect })).toEqual([
      "brings a reader that joins late to where one is that has read all",
    ]);
  });

  test("finds a command that is not what was meant", async () => {
    const createDialect = (): StatefulDialect => ({
      ...createPairDialect(),
      commandFrom: () => ({ ok: true, value: { type: "archive" } }),
    });
    expect(await failuresOf({ createDialect })).toEqual([
      "makes the commands of what clients send",
    ]);
  });
});
