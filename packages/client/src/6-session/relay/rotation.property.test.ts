import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RelayMessage } from "../../5-connection/relay/relay-line.ts";
import { SeedRotation } from "../../test-support/seed-rotation.ts";
import { createRotation, rotate, type Rotation, type RotationInput } from "./rotation.ts";

const connection = fc.constantFrom("a", "b", "c");
const session = fc.option(fc.constantFrom("s1", "s2", "s3", "s4"), { nil: undefined });

interface LineInput {
  readonly type: "line";
  readonly connectionId: string;
  readonly line: RelayMessage;
}

function lineInput(
  connectionId: string,
  sessionId: string | undefined,
  isContent: boolean,
): LineInput {
  const line: RelayMessage = {
    type: "message",
    ...(sessionId !== undefined && { sessionId }),
    isInit: !isContent,
    isContent,
    isRecovered: false,
  };
  return { type: "line", connectionId, line };
}

const input: fc.Arbitrary<RotationInput> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(connection, session, fc.boolean()).map((of) => lineInput(...of)),
  },
  {
    weight: 2,
    arbitrary: connection.map((connectionId) => ({ type: "opened" as const, connectionId })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(connection, session).map(([connectionId, sessionId]) => ({
      type: "line" as const,
      connectionId,
      line: {
        type: "status" as const,
        isDisconnected: true,
        ...(sessionId !== undefined && { sessionId }),
      },
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(connection, fc.boolean())
      .map(([connectionId, willReopen]) => ({ type: "closed" as const, connectionId, willReopen })),
  },
);

function expectSound({ agents, currentAgents, sessionAgents }: Rotation): void {
  const live = Array.from(agents.values()).filter(({ status }) => status !== "disconnected");
  const liveSessions = live.flatMap(({ sessionId }) => sessionId ?? []);
  expect(new Set(liveSessions).size).toBe(liveSessions.length);
  for (const [sessionId, agentId] of sessionAgents) {
    expect(agents.get(agentId)).toMatchObject({ sessionId });
    expect(agents.get(agentId)?.status).not.toBe("disconnected");
  }
  expect(Array.from(sessionAgents.keys()).toSorted()).toEqual(liveSessions.toSorted());
  const empty = Array.from(agents.values()).filter(
    ({ sessionId, hasContent }) => sessionId === undefined && !hasContent,
  );
  for (const { agentId, connectionId } of empty) {
    expect(currentAgents.get(connectionId)).toBe(agentId);
  }
}

/** Whether a message went to a tab, and one that names its session to that one's live tab. */
function isPlaced({ agents }: Rotation, agentId: string | undefined, next: RotationInput): boolean {
  if (next.type !== "line" || next.line.type !== "message") return agentId === undefined;
  const agent = agents.get(agentId ?? "");
  const { sessionId } = next.line;
  if (!agent || sessionId === undefined) return agent !== undefined;
  return agent.sessionId === sessionId && agent.status === "connected";
}

test("a session has one live tab at most, and its lines go there, whatever happens", () => {
  fc.assert(
    fc.property(fc.array(input, { maxLength: 60 }), (inputs) => {
      let rotation = createRotation();
      for (const next of inputs) {
        const step = rotate(rotation, next);
        rotation = step.rotation;
        expectSound(rotation);
        expect(isPlaced(rotation, step.agentId, next)).toBe(true);
      }
    }),
  );
});

type SingleInput =
  | LineInput
  | { readonly type: "opened" | "left" | "closed"; readonly connectionId: string };

/** Sessions that each have one relay, as the four maps assume. */
const singleInput: fc.Arbitrary<SingleInput> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(connection, session, fc.boolean())
      .map(([id, of, isContent]) =>
        lineInput(id, of === undefined ? undefined : `${id}-${of}`, isContent),
      ),
  },
  {
    weight: 2,
    arbitrary: connection.map((connectionId) => ({ type: "opened" as const, connectionId })),
  },
  {
    weight: 1,
    arbitrary: connection.map((connectionId) => ({ type: "left" as const, connectionId })),
  },
  {
    weight: 1,
    arbitrary: connection.map((connectionId) => ({ type: "closed" as const, connectionId })),
  },
);

/** The tab of a line, undefined of anything else. */
type Choice = string | undefined;

function chosenByMaps(seed: SeedRotation, next: SingleInput): Choice {
  const { connectionId } = next;
  switch (next.type) {
    case "opened":
      seed.opened(connectionId);
      return undefined;
    case "closed":
      seed.closed(connectionId);
      return undefined;
    case "left":
      seed.disconnected(connectionId);
      return undefined;
    case "line":
      return seed.message(connectionId, next.line.sessionId, next.line.isContent);
  }
}

function inputFrom(next: SingleInput): RotationInput {
  const { connectionId } = next;
  switch (next.type) {
    case "line":
      return next;
    case "opened":
      return { type: "opened", connectionId };
    case "closed":
      return { type: "closed", connectionId, willReopen: false };
    case "left":
      return { type: "line", connectionId, line: { type: "status", isDisconnected: true } };
  }
}

test("every line goes to the tab that the four maps of agents-ui would choose", () => {
  fc.assert(
    fc.property(fc.array(singleInput, { maxLength: 60 }), (inputs) => {
      const seed = new SeedRotation();
      let rotation = createRotation();
      for (const next of inputs) {
        const step = rotate(rotation, inputFrom(next));
        rotation = step.rotation;
        expect(step.agentId).toBe(chosenByMaps(seed, next));
      }
    }),
  );
});
