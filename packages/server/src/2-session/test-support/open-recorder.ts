import { initialControl } from "@turnwire/protocol";
import { type AppendBatch, createMemoryStore, type SessionRecord } from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";
import { interceptAppends } from "../../../../log/src/test-support/intercepted-store.ts";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { Recorder } from "../recorder.ts";
import { ComponentIndex } from "../ui/component-index.ts";
import { everyCapability, readyWith } from "./control.ts";

const record: SessionRecord = {
  sessionId: "s",
  owner: "ann",
  epoch: "e",
  runtime: "scripted",
  options: {},
  status: "live",
  activity: "idle",
  cwd: "/",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  head: 0,
  trimmed: 0,
};

/** A recorder of a session that is ready, alone; `failures` are what it could not write. */
export async function openRecorder(
  append: (batch: AppendBatch, go: () => Promise<void>) => Promise<void> = (_batch, go) => go(),
) {
  const store = interceptAppends(createMemoryStore(), append);
  const lease = await store.createSession(record, "test", 1000);
  const clock = new ManualClock();
  const log = new EventLog({ store, lease, clock, ringSize: 100 });
  const failures: unknown[] = [];
  const recorder = new Recorder({
    log,
    control: initialControl(),
    components: new ComponentIndex(),
    clock,
    runtime: "scripted",
    requestTimeoutMs: 1000,
    toolTimeoutMs: () => 1000,
    onCommitted: () => undefined,
    onFailed: (error) => failures.push(error),
  });
  await recorder.record([readyWith(everyCapability)]).committed;
  return { recorder, store, log, failures };
}
