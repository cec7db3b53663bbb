import { describe, expect, test } from "vitest";
import {
  createRotation,
  rotate,
  shownAgents,
  type Rotation,
  type RotationInput,
} from "./rotation.ts";

const connectionId = "ws://127.0.0.1:8765/ws";
const opened: RotationInput = { type: "opened", connectionId };
const left: RotationInput = {
  type: "line",
  connectionId,
  line: { type: "status", isDisconnected: true },
};

function message(
  sessionId?: string,
  more: { readonly isInit?: boolean; readonly isRecovered?: boolean } = {},
): RotationInput & { readonly type: "line" } {
  const { isInit = false, isRecovered = false } = more;
  return {
    type: "line",
    connectionId,
    line: {
      type: "message",
      ...(sessionId !== undefined && { sessionId }),
      isInit,
      isContent: !isInit,
      isRecovered,
    },
  };
}

/** The agents that the messages among the inputs went to, and the rotation after them. */
function play(inputs: readonly RotationInput[], start: Rotation = createRotation()) {
  const agents: string[] = [];
  let rotation = start;
  for (const input of inputs) {
    const step = rotate(rotation, input);
    rotation = step.rotation;
    if (step.agentId !== undefined) agents.push(step.agentId);
  }
  return { agents, rotation };
}

describe("rotation", () => {
  test("shows no tab before a session or content is there", () => {
    const { rotation } = play([opened]);
    expect(shownAgents(rotation)).toEqual([]);
    expect(shownAgents(play([message("s1", { isInit: true })], rotation).rotation)).toMatchObject([
      { sessionId: "s1", status: "connected", hasContent: false },
    ]);
  });

  test("gives each session id a tab of its own, and keeps it", () => {
    const { agents, rotation } = play([
      opened,
      message("s1"),
      message("s2"),
      message("s1"),
      message("s2"),
    ]);
    expect(agents).toEqual(["agent-1", "agent-2", "agent-1", "agent-2"]);
    expect(shownAgents(rotation).map(({ sessionId }) => sessionId)).toEqual(["s1", "s2"]);
  });

  test("puts a line without a session id into the tab that was spoken of last", () => {
    const { agents } = play([opened, message("s1"), message("s2"), message("s1"), message()]);
    expect(agents.at(-1)).toBe(agents[0]);
  });

  test("gives the next session of a relay a new tab after its agent left", () => {
    const { agents, rotation } = play([opened, message("s1"), left, message("s2")]);
    expect(agents).toEqual(["agent-1", "agent-2"]);
    expect(shownAgents(rotation).map(({ status }) => status)).toEqual([
      "disconnected",
      "connected",
    ]);
  });

  test("revives the tab of a session that comes back first, and takes a new one for a stale session", () => {
    expect(play([opened, message("s1"), left, message("s1")]).agents).toEqual([
      "agent-1",
      "agent-1",
    ]);
    const stale = play([opened, message("s1"), message("s2"), left, message("s1")]);
    expect(stale.agents).toEqual(["agent-1", "agent-2", "agent-3"]);
  });

  test("ends one session only where the status names it", () => {
    const named: RotationInput = {
      type: "line",
      connectionId,
      line: { type: "status", isDisconnected: true, sessionId: "s1" },
    };
    const { rotation } = play([opened, message("s1"), message("s2"), named]);
    expect(shownAgents(rotation).map(({ status }) => status)).toEqual([
      "disconnected",
      "connected",
    ]);
  });

  test("lets a first session take what was shown before it only where asked to, as agents-ui does", () => {
    const inputs = [opened, message(), message("s1")];
    expect(play(inputs).agents).toEqual(["agent-1", "agent-2"]);
    expect(play(inputs, createRotation("any")).agents).toEqual(["agent-1", "agent-1"]);
  });

  test("keeps tabs while a connection is opened again, and finds them by their sessions", () => {
    const cut: RotationInput = { type: "closed", connectionId, willReopen: true };
    const away = play([opened, message("s1"), message("s2"), cut]);
    expect(shownAgents(away.rotation).map(({ status }) => status)).toEqual([
      "reconnecting",
      "reconnecting",
    ]);
    const back = play([opened, message("s1"), message("s3")], away.rotation);
    expect(back.agents).toEqual(["agent-1", "agent-4"]);
    expect(shownAgents(back.rotation).map(({ sessionId, status }) => [sessionId, status])).toEqual([
      ["s1", "connected"],
      ["s2", "reconnecting"],
      ["s3", "connected"],
    ]);
  });

  test("leaves no placeholder behind, however often a connection is cut", () => {
    const cut: RotationInput = { type: "closed", connectionId, willReopen: true };
    const cycle = [opened, message("s1"), cut];
    const { rotation } = play(Array.from({ length: 20 }, () => cycle).flat());
    expect(rotation.agents.size).toBe(1);
  });

  test("removes what showed nothing when a silent connection ends, and disconnects the rest", () => {
    const gone: RotationInput = { type: "closed", connectionId, willReopen: false };
    const { rotation } = play([opened, message("s1"), message("s2", { isInit: true }), gone]);
    expect(Array.from(rotation.agents.values())).toMatchObject([
      { sessionId: "s1", status: "disconnected" },
    ]);
    expect(rotation.sessionAgents.size).toBe(0);
  });

  test("lets a session that another relay took over outlive the end of its first one", () => {
    const other = "ws://127.0.0.1:8766/ws";
    const { rotation, agents } = play([
      opened,
      { type: "opened", connectionId: other },
      message("s1"),
      { ...message("s1"), connectionId: other },
      left,
      { type: "closed", connectionId, willReopen: false },
    ]);
    expect(new Set(agents).size).toBe(1);
    expect(shownAgents(rotation)).toMatchObject([{ connectionId: other, status: "connected" }]);
  });

  test("opens no tab for a word that only looks like a session id in a broken line", () => {
    const broken = message("management", { isRecovered: true });
    const { agents } = play([opened, message("s1"), broken]);
    expect(agents).toEqual(["agent-1", "agent-1"]);
    const init = message("sess_abc123", { isRecovered: true, isInit: true });
    expect(play([opened, message("s1"), init]).agents).toEqual(["agent-1", "agent-2"]);
  });

  test("keeps fifty tabs of agents that are gone, the newest", () => {
    const lives = Array.from({ length: 80 }, (_, index) => [message(`s${index}`), left]).flat();
    const { rotation } = play([opened, ...lives]);
    const kept = shownAgents(rotation).map(({ sessionId }) => sessionId);
    expect(kept.length).toBeLessThanOrEqual(51);
    expect(kept.at(-1)).toBe("s79");
  });

  test("is the same value where nothing changes, so that a token costs nothing", () => {
    const { rotation } = play([opened, message("s1")]);
    expect(rotate(rotation, message("s1")).rotation).toBe(rotation);
    expect(rotate(rotation, message()).rotation).toBe(rotation);
  });
});
