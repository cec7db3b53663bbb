import { draft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { StoreError } from "@turnwire/log";
import { readAll } from "../../test-support/log-reader.ts";
import { messageOf, runningTurn } from "../test-support/control.ts";
import { openRecorder } from "../test-support/open-recorder.ts";

const notice = (text: string) => draft("notice", { level: "info", text });

test("what a decision records comes after what the agent said before it", async () => {
  const { recorder, log } = await openRecorder();
  await recorder.offer([notice("first")]);
  await recorder.record([messageOf("m1")]).committed;
  const types = (await readAll(log)).map(({ type }) => type);
  expect(types).toEqual(["session_ready", "notice", "user_message"]);
});

test("what an agent says in one tick is one commit", async () => {
  const commits: number[] = [];
  const { recorder, log } = await openRecorder((batch, go) => {
    commits.push(batch.events.length);
    return go();
  });
  await recorder.record(runningTurn).committed;
  const delta = (text: string) => draft("tool_output", { tool_use_id: text, text });
  await recorder.offer([delta("a")]);
  await recorder.offer([delta("b"), delta("c")]);
  recorder.flush();
  await log.settled;
  expect(commits).toEqual([1, 2, 3]);
});

test("the control has an event at once, before the store has it", async () => {
  let pass: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    pass = resolve;
  });
  const { recorder, log } = await openRecorder(async (batch, go) => {
    if (batch.events.some(({ type }) => type === "user_message")) await held;
    await go();
  });
  const { committed } = recorder.record([messageOf("m1")]);
  expect(recorder.control.queue).toHaveLength(1);
  expect(log.head).toBe(1);
  pass();
  await committed;
  expect(log.head).toBe(2);
});

test("after a failed commit nothing more is taken, and the failure is reported once", async () => {
  let isFailing = false;
  const { recorder, log, failures } = await openRecorder((_batch, go) =>
    isFailing ? Promise.reject(new StoreError("unavailable", "disk full")) : go(),
  );
  isFailing = true;
  const failing = recorder.record([messageOf("m1")]).committed;
  await expect(failing).rejects.toThrow("disk full");
  isFailing = false;
  await recorder.offer([notice("late")]);
  await expect(recorder.record([messageOf("m2")]).committed).rejects.toThrow("disk full");
  recorder.flush();
  expect(await readAll(log)).toHaveLength(1);
  expect(failures).toHaveLength(1);
});

test("closing writes what was said before, and takes nothing after", async () => {
  const { recorder, log, failures } = await openRecorder();
  await recorder.offer([notice("last")]);
  await recorder.close();
  await recorder.offer([notice("too late")]);
  recorder.flush();
  await expect(recorder.record([messageOf("m1")]).committed).rejects.toThrow("ended");
  const texts = (await readAll(log)).flatMap((event) =>
    event.type === "notice" ? [event.data.text] : [],
  );
  expect(texts).toEqual(["last"]);
  expect(failures).toEqual([]);
});
