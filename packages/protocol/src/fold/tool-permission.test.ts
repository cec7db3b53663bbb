import { describe, expect, test } from "vitest";
import { draft, type EventDraft } from "../index.ts";
import { blocksOf, inTurn, stateAfter, toolEnded, toolStarted } from "../test-support/log.ts";

const asked = { command: "touch a", description: "make a" };
const ran = { command: "touch b", description: "make b" };

function request(tool_input: EventDraft["data"] | object = asked) {
  const data = { correlation_id: "r1", tool_use_id: "x", tool_name: "Bash" };
  return draft("permission_request", { ...data, tool_input: tool_input as never }, inTurn);
}

function answer(facts: object = {}) {
  const data = { correlation_id: "r1", outcome: "answered", tool_name: "Bash" } as const;
  return draft("permission_resolved", { ...data, allowed: true, by: "someone", ...facts }, inTurn);
}

const started = toolStarted("x", { input: asked, command: "touch a" });

function toolAfter(...drafts: EventDraft[]) {
  return blocksOf(stateAfter(...drafts)).find((block) => block.type === "tool");
}

describe("a tool that a person was asked about", () => {
  test("has what ran after it was allowed with changes, and what it was changed from", () => {
    const tool = toolAfter(started, request(), answer({ updated_input: ran }), toolEnded("x"));
    expect(tool).toMatchObject({
      command: "touch b",
      input: ran,
      permission: { allowed: true, original_input: asked, by: "someone" },
    });
  });

  test("has what ran also when it is announced after the answer", () => {
    const prepared = draft(
      "tool_input_delta",
      { tool_use_id: "x", tool: "Bash", partial_json: "{" },
      inTurn,
    );
    const tool = toolAfter(prepared, request(), answer({ updated_input: ran }), started);
    expect(tool).toMatchObject({ command: "touch b", input: ran, status: "running" });
  });

  test("loses a fact that the new input does not have", () => {
    const tool = toolAfter(started, request(), answer({ updated_input: { description: "none" } }));
    expect(tool).not.toHaveProperty("command");
  });

  test("keeps its input when it was allowed as it is, or denied", () => {
    const allowed = toolAfter(started, request(), answer());
    expect(allowed).toMatchObject({ command: "touch a", permission: { allowed: true } });
    expect(allowed?.permission).not.toHaveProperty("original_input");
    const denied = toolAfter(started, request(), answer({ allowed: false, message: "no" }));
    expect(denied).toMatchObject({
      command: "touch a",
      permission: { allowed: false, message: "no" },
    });
  });

  test("shows what was allowed beyond this use", () => {
    const updated_permissions = [{ rule: "x" }];
    const tool = toolAfter(started, request(), answer({ updated_permissions }));
    expect(tool?.permission).toMatchObject({ updated_permissions });
  });

  test("ran from the moment it was allowed", () => {
    const tool = toolAfter(started, request(), answer(), toolEnded("x"));
    expect(tool).toMatchObject({ started_at: "2026-11-15T00:00:00.006Z", duration_ms: 1 });
  });

  test("keeps its own duration where the runtime reports one", () => {
    expect(toolAfter(started, toolEnded("x", { duration_ms: 70 }))).toMatchObject({
      duration_ms: 70,
    });
  });

  test("moves the stored parts of both inputs along", () => {
    const stored = (path: string) => ({
      attachments: [{ path, digest: path, size: 9 } as never],
    });
    const tool = toolAfter(
      { ...started, ...stored("/input/command") },
      { ...request(), ...stored("/tool_input/command") },
      { ...answer({ updated_input: ran }), ...stored("/updated_input/command") },
    );
    expect(tool?.attachments?.map(({ path }) => path)).toEqual([
      "/input/command",
      "/permission/original_input/command",
    ]);
  });
});

describe("what is allowed without asking", () => {
  const granted = (grant_id: string) =>
    draft("permission_granted", { grant_id, tool_name: "Bash", permission: { rule: grant_id } });
  const revoked = (...grant_ids: string[]) => draft("permission_revoked", { grant_ids });

  test("is listed until it is revoked", () => {
    expect(stateAfter(granted("a"), granted("b"), revoked("a")).session.grants).toEqual([
      {
        grant_id: "b",
        tool_name: "Bash",
        permission: { rule: "b" },
        granted_at: "2026-11-15T00:00:00.005Z",
      },
    ]);
  });

  test("leaves no empty list, and an unknown grant changes nothing", () => {
    expect(stateAfter(granted("a"), revoked("a", "z")).session).not.toHaveProperty("grants");
  });
});

test("a notice with the id of the one before it takes its place", () => {
  const retry = (text: string) =>
    draft("notice", { level: "warning", text, notice_id: "retry" }, inTurn);
  const other = draft("notice", { level: "info", text: "else" }, inTurn);
  expect(
    blocksOf(stateAfter(retry("1 of 3"), retry("2 of 3"), other, other, retry("1 of 3"))),
  ).toMatchObject([
    { key: "b4", text: "2 of 3" },
    { text: "else" },
    { text: "else" },
    { key: "b8", text: "1 of 3" },
  ]);
});
