import { initialControl } from "@turnwire/protocol";
import { type AppendBatch, createMemoryStore } from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";
import { interceptAppends } from "../../../../log/src/test-support/intercepted-store.ts";
import { LEASE_MS, recordOf } from "../../../../log/src/test-support/session.ts";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { Recorder } from "../record/recorder.ts";
import { ComponentIndex } from "../ui/component-index.ts";
import { everyCapability, readyWith } from "./control.ts";

/** A recorder of a session that is ready, alone; `failures` are what it could not write. */
export async function openRecorder(
  append: (batch: AppendBatch, go: () => Promise<void>) => Promise<void> = (_batch, go) => go(),
) {
  const store = interceptAppends(createMemoryStore(), append);
  const lease = await store.createSession(recordOf("s"), "test", LEASE_MS);
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
