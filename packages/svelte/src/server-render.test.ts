// @vitest-environment node
import { createClient } from "@turnwire/client";
import { foldAll, initialState, noCapabilities, type SessionEvent } from "@turnwire/protocol";
import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import { createRegistry } from "./component-registry.ts";
import Page from "./test-support/Page.svelte";
import Probe from "./test-support/Probe.svelte";

const ts = "2026-11-15T09:00:00.000Z";

const events: SessionEvent[] = [
  {
    seq: 1,
    ts,
    type: "session_ready",
    data: {
      session_id: "s1",
      protocol_version: "1.0",
      runtime: "demo",
      capabilities: noCapabilities,
    },
  },
  { seq: 2, ts, type: "turn_started", data: { turn_id: "t1" }, turn_id: "t1" },
  { seq: 3, ts, type: "delta", data: { message_id: "a1", text: "Good morning" }, turn_id: "t1" },
  {
    seq: 4,
    ts,
    type: "component_update",
    data: { component_id: "c", name: "probe", surface: "panel", props: { n: 1 }, merge: false },
  },
];

/** A client that no server ever hears of. */
function silentClient() {
  const asked: string[] = [];
  const client = createClient({
    url: "http://nowhere.test",
    fetch: (url) => {
      asked.push(url);
      return Promise.reject(new Error("no server is there"));
    },
  });
  return { client, asked };
}

describe("on a server", () => {
  test("a page is rendered without a connection", () => {
    const { client, asked } = silentClient();
    const { body } = render(Page, { props: { client, sessionId: "s1" } });
    expect(body).toContain("Nothing here");
    expect(body).toContain("idle");
    expect(asked).toEqual([]);
  });

  test("a page that has a snapshot shows it", () => {
    const { client, asked } = silentClient();
    const snapshot = { seq: 4, epoch: "e1", state: foldAll(initialState(), events) };
    const registry = createRegistry({ probe: { component: Probe, surfaces: ["panel"] } });
    const { body } = render(Page, { props: { client, sessionId: "s1", snapshot, registry } });
    expect(body).toContain("Good morning");
    expect(body).toContain('{"n":1}');
    expect(asked).toEqual([]);
  });

  test("a snapshot of another session is not shown", () => {
    const { client } = silentClient();
    const snapshot = { seq: 4, epoch: "e1", state: foldAll(initialState(), events) };
    const { body } = render(Page, { props: { client, sessionId: "s2", snapshot } });
    expect(body).not.toContain("Good morning");
  });
});
