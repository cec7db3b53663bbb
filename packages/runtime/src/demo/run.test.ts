import type { JsonValue } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { RuntimeError } from "../process/runtime-error.ts";
import { demoScenarios } from "./scenario/catalog.ts";
import { DemoMessage } from "./stage/message.ts";
import { demo } from "./runtime.ts";
import { dataOf, play, said, start } from "./test-support/player.ts";

describe("the demo agent", () => {
  test("repeats what it heard and says what to try", async () => {
    const text = said(await play(await start(), "make me a sandwich"));
    expect(text).toContain("make me a sandwich");
    for (const { name } of demoScenarios) expect(text).toContain(`/${name}`);
  });

  test("counts attachments, also when there is no text", async () => {
    const recorder = await start();
    const source = { type: "base64", media_type: "image/png", data: "AAAA" } as const;
    await recorder.turn(await recorder.send([{ type: "image", source }]));
    expect(said(recorder.events)).toContain("1 attachment");
  });

  test("remembers its turns, and less of them after a rollback", async () => {
    const recorder = await start();
    await play(recorder, "one");
    await play(recorder, "two");
    expect(said(await play(recorder, "three"))).toContain("2 earlier turns");
    await recorder.run.rollback?.({ turnIndex: 1, turnIds: [], files: false });
    expect(said(await play(recorder, "four"))).toContain("1 earlier turn ");
  });

  test("keeps its provider session when resumed, and owns up to having forgotten", async () => {
    const recorder = await start({ resume: "demo_before" });
    expect(said(await play(recorder, "hello"))).toContain("do not remember");
    expect(dataOf(recorder.events, "session_updated")).toEqual([
      { provider_session_id: "demo_before" },
    ]);
  });

  test("speaks as the model that was set", async () => {
    const recorder = await start({ model: "demo-1-mini" });
    const models = async () =>
      dataOf(await play(recorder, "hi"), "message_complete").map(({ message }) => message.model);
    expect(await models()).toEqual(["demo-1-mini"]);
    await recorder.run.setModel?.("other");
    expect(await models()).toEqual(["other"]);
    await recorder.run.setModel?.(null);
    expect(await models()).toEqual(["demo-1"]);
  });

  test("takes up what a person says while it speaks", async () => {
    const recorder = await start();
    const turnId = await recorder.send("/slow");
    await recorder.until("delta");
    await recorder.run.steer?.({
      turnId,
      messageId: "m2",
      content: [{ type: "text", text: "faster please" }],
    });
    const events = await recorder.turn(turnId);
    expect(said(events)).toContain("“faster please”");
    expect(said(events).indexOf("faster please")).toBeLessThan(said(events).indexOf("40. Still"));
  });

  test("answers at the end what it could not take up before", async () => {
    const recorder = await start();
    const turnId = await recorder.send("/flood 5");
    await recorder.until("delta");
    const content = [{ type: "text", text: "one more thing" }] as const;
    await recorder.run.steer?.({ turnId, messageId: "m2", content });
    expect(said(await recorder.turn(turnId))).toMatch(/5 \s+> You said: “one more thing”/);
  });

  test("is free for the next turn once the end of the last was read", async () => {
    const run = await demo({ delayMs: 0 }).createRun({ sessionId: "s1", cwd: "/" });
    const messages = run.messages[Symbol.asyncIterator]();
    const input = { turnId: "t1", messageId: "m1", content: [] };
    await run.send(input);
    let read = await messages.next();
    while (DemoMessage.parse(read.value).type !== "turn_end") read = await messages.next();
    await expect(run.send({ ...input, turnId: "t2" })).resolves.toBeUndefined();
    await run.close();
  });

  test("refuses a second turn at once, and steering without a turn", async () => {
    const recorder = await start();
    const input = { turnId: "t", messageId: "m", content: [] };
    await expect(recorder.run.steer?.(input)).rejects.toBeInstanceOf(RuntimeError);
    await recorder.run.send(input);
    await expect(recorder.run.send(input)).rejects.toMatchObject({ code: "protocol" });
  });

  test("compacts on demand, outside a turn", async () => {
    const recorder = await start();
    await recorder.run.compact?.("keep names");
    const { data } = await recorder.until("compacted");
    expect(data.summary).toContain("keep names");
  });

  test("answers the buttons of its components", async () => {
    const recorder = await start();
    const events = await play(recorder, "/components");
    const table = dataOf(events, "component_update").find(({ name }) => name === "table");
    const id = table?.component_id ?? "";
    const click = { type: "component_callback", action: "refresh", payload: { row: 1 } } as const;
    await recorder.run.componentCallback?.({ ...click, component_id: "unknown" });
    await recorder.run.componentCallback?.({ ...click, component_id: id });
    const { data } = await recorder.until("component_update");
    expect(data).toMatchObject({ component_id: id, merge: true, surface: "chat" });
    expect(data.props).toEqual({ last_action: "refresh", last_payload: { row: 1 }, clicks: 1 });
  });

  test("keeps the count of open to-dos right when the shared list changes", async () => {
    const recorder = await start();
    const strange: JsonValue[] = [null, 1, [], {}, { todos: 3 }];
    for (const state of strange) await recorder.run.sharedState?.(state);
    await recorder.run.sharedState?.({ todos: [{ done: true }, { done: false }, {}, 5] });
    const { data } = await recorder.until("state_delta");
    expect(data.patches).toEqual([{ op: "add", path: "/open", value: 2 }]);
  });
});
