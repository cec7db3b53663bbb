import { type CommandOf, draft, initialState } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { type AppendBatch, StoreError } from "@turnwire/log";
import { readAll } from "../test-support/log-reader.ts";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { InputLedger } from "./record/input-ledger.ts";
import { Intake } from "./intake.ts";
import { runningTurn } from "./test-support/control.ts";
import { builtInPolicy } from "./policy/policy-source.ts";
import { CallbackSource } from "./ui/callback-source.ts";
import { SessionGate } from "./policy/session-gate.ts";
import { ComponentIndex } from "./ui/component-index.ts";
import { SessionUi } from "./ui/session-ui.ts";
import { openRecorder } from "./test-support/open-recorder.ts";

const ann = { id: "ann", isAdmin: false };

function message(content: string, client_message_id = "c1"): CommandOf<"user_message"> {
  return { type: "user_message", content, client_message_id };
}

async function openIntake(append?: (batch: AppendBatch, go: () => Promise<void>) => Promise<void>) {
  const opened = await openRecorder(append);
  const { recorder, store } = opened;
  const inputs = new InputLedger(store, "s");
  const clock = new ManualClock();
  const policy = builtInPolicy();
  const gate = new SessionGate({ source: policy, control: () => recorder.control, id: "s" });
  const control = () => recorder.control;
  const components = new ComponentIndex();
  const ui = new SessionUi({
    control,
    components,
    flush: () => recorder.flush(),
    checkProps: async () => undefined,
  });
  const state = () => Promise.resolve(initialState());
  const callbacks = new CallbackSource({ control, components, state });
  const shared = { recorder, inputs, policy, gate, clock, ui, callbacks };
  const intake = new Intake({
    ...shared,
    maxQueue: 2,
    requestTimeoutMs: 60_000,
    catalog: [],
    runtime: {},
  });
  return { ...opened, intake };
}

/** What was answered, once it is in the store; the reason where it is not. */
async function answerOf(intake: Intake, command: CommandOf<"user_message">) {
  const taken = await intake.take(command, ann);
  if (!taken.ok) return taken.error.code;
  const { committed, effects: _, ...value } = taken.value;
  await committed;
  return value;
}

test("a message that comes again is found, and nothing is done twice", async () => {
  const { intake, log } = await openIntake();
  const first = await answerOf(intake, message("hi"));
  expect(first).toMatchObject({ seq: 2 });
  expect(await answerOf(intake, message("hi"))).toEqual({ ...Object(first), duplicate: true });
  expect(await readAll(log)).toHaveLength(2);
});

test("a message that comes again while the first is on its way waits for it", async () => {
  const { intake, log } = await openIntake();
  const [first, second] = await Promise.all([
    answerOf(intake, message("hi")),
    intake.take(message("hi"), ann).then((taken) => taken.ok && taken.value.seq),
  ]);
  expect(first).toMatchObject({ seq: 2 });
  expect([2, 3]).toContain(second);
  expect(await readAll(log)).toHaveLength(2);
});

test("an id that comes with other words is a conflict", async () => {
  const { intake, log } = await openIntake();
  await answerOf(intake, message("hi"));
  expect(await answerOf(intake, message("bye"))).toBe("idempotency_conflict");
  expect(await readAll(log)).toHaveLength(2);
});

test("a message that could not be stored fails again when it comes again", async () => {
  let isFailing = false;
  const { intake, log } = await openIntake((_batch, go) =>
    isFailing ? Promise.reject(new StoreError("unavailable", "disk full")) : go(),
  );
  isFailing = true;
  await expect(answerOf(intake, message("hi"))).rejects.toThrow("disk full");
  await expect(answerOf(intake, message("hi"))).rejects.toThrow("disk full");
  expect(await readAll(log)).toHaveLength(1);
});

test("a command is decided after what the agent said in the same tick", async () => {
  const { intake, recorder, log } = await openIntake();
  await recorder.record(runningTurn).committed;
  await recorder.offer([draft("done", { turn_id: "t1" })]);
  await answerOf(intake, message("next"));
  expect((await readAll(log)).at(-1)).toMatchObject({ data: { delivery: "turn" } });
});
