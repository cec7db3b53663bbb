import { Command, fold, type SessionEvent, type SessionState, validate } from "@turnwire/protocol";
import type { Frame, StatefulDialect } from "@turnwire/server";
import { describe, expect, test } from "vitest";
import { runChecks } from "./check.ts";
import { dialectChecks, type DialectSubject } from "./dialect-checks.ts";
import { dialectContract } from "./dialect-contract.ts";
import { eventLogArbitrary } from "./event-log-arbitrary.ts";

/** The whole lines that an agent has written, by the place of each. */
function linesOf({ messages }: SessionState): Map<string, string> {
  const lines = messages.flatMap((message) =>
    message.role === "agent"
      ? message.blocks.flatMap((block) =>
          block.type === "text"
            ? block.text
                .split("\n")
                .slice(0, -1)
                .map((text, index): [string, string] => [`${block.key}/${index}`, text])
            : [],
        )
      : [],
  );
  return new Map(lines);
}

function lineFrame([place, text]: [string, string]): Frame {
  return { name: "line", data: JSON.stringify({ place, text }) };
}

/** Joins deltas into lines: a frame per finished line, so none for most events and many for some. */
function createLineDialect(): StatefulDialect {
  return {
    type: "stateful",
    name: "lines",
    frames(before, event) {
      const known = linesOf(before);
      return [...linesOf(fold(before, event))]
        .filter(([place]) => !known.has(place))
        .map(lineFrame);
    },
    opening: (state) => [...linesOf(state)].map(lineFrame),
    commandFrom: (input) => validate(Command, input),
  };
}

/** The same with a memory of its own instead of the state before. */
function createForgetfulDialect(): StatefulDialect {
  const known = new Map<string, string>();
  return {
    ...createLineDialect(),
    frames(before, event) {
      const fresh = [...linesOf(fold(before, event))].filter(([place]) => !known.has(place));
      for (const [place, text] of fresh) known.set(place, text);
      return fresh.map(lineFrame);
    },
  };
}

/** A line that was sent cannot be taken back: logs end before that. */
function isTakenBack({ type, data }: SessionEvent): boolean {
  return type === "rolled_back" || (type === "message_complete" && data.retracted === true);
}

const subject: DialectSubject = {
  createDialect: createLineDialect,
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
    const createDialect = (): StatefulDialect => ({ ...createLineDialect(), opening: () => [] });
    expect(await failuresOf({ createDialect })).toEqual([
      "brings a reader that joins late to where one is that has read all",
    ]);
  });

  test("finds a command that is not what was meant", async () => {
    const createDialect = (): StatefulDialect => ({
      ...createLineDialect(),
      commandFrom: () => ({ ok: true, value: { type: "archive" } }),
    });
    expect(await failuresOf({ createDialect })).toEqual([
      "makes the commands of what clients send",
    ]);
  });
});
