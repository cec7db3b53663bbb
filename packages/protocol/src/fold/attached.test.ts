import { describe, expect, test } from "vitest";
import {
  type Attachment,
  draft,
  type EventDraft,
  fold,
  foldAll,
  type HasAttachments,
  initialState,
  type SessionEvent,
} from "../index.ts";
import {
  begun,
  blocksOf,
  delta,
  inTurn,
  userMessage,
  toolEnded,
  toolStarted,
} from "../test-support/log.ts";

function attachment(path: string): Attachment {
  const digest = `sha256-${"0".repeat(64)}`;
  return { path, digest, size: 1_000_000, media_type: "text/plain", encoding: "text" };
}

type Stored = EventDraft & { attachments?: Attachment[] };

function storedApart(event: EventDraft, ...paths: string[]): Stored {
  return { ...event, attachments: paths.map(attachment) };
}

function stateAfter(...drafts: Stored[]) {
  const events = [...begun, ...drafts].map((event, index): SessionEvent => {
    return { seq: index + 1, ts: new Date(Date.UTC(2026, 10, 15) + index).toISOString(), ...event };
  });
  const state = events.reduce(fold, initialState());
  expect(foldAll(initialState(), events)).toEqual(state);
  return state;
}

function pathsOf(of: HasAttachments | undefined): string[] {
  return of?.attachments?.map(({ path }) => path) ?? [];
}

describe("what is stored beside the log", () => {
  test("is named by the tool it belongs to, input and output alike", () => {
    const started = storedApart(toolStarted("x", { input: { content: "…" } }), "/input/content");
    const ended = storedApart(toolEnded("x", { output: "…" }), "/output");
    expect(pathsOf(blocksOf(stateAfter(started))[0])).toEqual(["/input/content"]);
    expect(pathsOf(blocksOf(stateAfter(started, ended))[0])).toEqual(["/input/content", "/output"]);
    expect(pathsOf(blocksOf(stateAfter(started, ended, toolEnded("x")))[0])).toEqual([
      "/input/content",
    ]);
  });

  test("is named by a message, also while it waits", () => {
    const waits = storedApart(userMessage("u2", "queue"), "/content/0/text");
    expect(pathsOf(stateAfter(waits).queue[0])).toEqual(["/content/0/text"]);
    const state = stateAfter(waits, draft("turn_started", { turn_id: "t2", message_id: "u2" }));
    const message = state.messages.find(({ id }) => id === "u2");
    expect(message?.role === "user" && pathsOf(message)).toEqual(["/content/0/text"]);
  });

  test("is named by a request and by its answer", () => {
    const asked = storedApart(
      draft("permission_request", { correlation_id: "c", tool_name: "Write", tool_input: "…" }),
      "/tool_input",
    );
    const answered = storedApart(
      draft("permission_resolved", {
        correlation_id: "c",
        tool_name: "Write",
        allowed: true,
        outcome: "answered",
        updated_input: "…",
      }),
      "/updated_input",
    );
    expect(pathsOf(blocksOf(stateAfter(asked, answered))[0])).toEqual([
      "/request/tool_input",
      "/resolution/updated_input",
    ]);
  });

  test("of a component stays until that prop is replaced", () => {
    const component = (props: { [name: string]: string }, merge: boolean) =>
      draft("component_update", {
        component_id: "k",
        name: "Table",
        surface: "panel",
        props,
        merge,
      });
    const shown = storedApart(
      component({ rows: "…", note: "…" }, false),
      "/props/rows",
      "/props/note",
    );
    const merged = stateAfter(shown, component({ rows: "short" }, true));
    expect(pathsOf(merged.surfaces.panel[0])).toEqual(["/props/note"]);
    const replaced = stateAfter(shown, component({ rows: "short" }, false));
    expect(pathsOf(replaced.surfaces.panel[0])).toEqual([]);
  });

  test("of a finished message is shown only where its text was not delivered before", () => {
    const complete = storedApart(
      draft(
        "message_complete",
        {
          message_id: "m1",
          message: { role: "assistant", content: [{ type: "text", text: "a … z" }] },
        },
        inTurn,
      ),
      "/message/content/0/text",
    );
    expect(blocksOf(stateAfter(delta("a whole story"), complete))).toMatchObject([
      { type: "text", text: "a whole story" },
    ]);
    const [block] = blocksOf(stateAfter(complete));
    expect(block).toMatchObject({ type: "text", text: "a … z" });
    expect(pathsOf(block)).toEqual(["/text"]);
    expect(blocksOf(stateAfter(complete, delta("more")))).toHaveLength(2);
  });
});
