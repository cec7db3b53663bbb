import {
  controlOf,
  type EventDraft,
  initialControl,
  type SessionEvent,
  type Attachment,
  type Block,
  type HasAttachments,
  type SessionState,
} from "@turnwire/protocol";
import type { Clock } from "@turnwire/base";
import { type Lease, sharedAttachment, type Store } from "@turnwire/log";
import type { EventLog } from "@turnwire/log/event-log";
import { Recorder } from "../../2-session/record/recorder.ts";
import type { Past } from "./session-creation.ts";
import type { LoadedSession } from "../../2-session/session-settings.ts";
import { ComponentIndex } from "../../2-session/ui/component-index.ts";

export interface SeedOptions {
  readonly log: EventLog;
  readonly store: Store;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly ready: EventDraft;
  readonly past: Past | undefined;
  readonly onCommitted: (events: readonly SessionEvent[], ms: number) => void;
}

/** Writes what a new log begins with, before there is a session that could act on it. */
export async function seedLog(
  options: SeedOptions,
): Promise<Pick<LoadedSession, "control" | "components">> {
  const { log, store, lease, ready, past } = options;
  const { sessionId } = lease.record;
  let components = new ComponentIndex();
  const first = recorderFrom(options, { control: initialControl(), components });
  await first.record([ready]).committed;
  if (!past) return { control: first.control, components };
  let recorder = first;
  if (past.base) {
    // The ready event represents everything that retention has removed from the source.
    const { seq, session } = first.control;
    const state = { ...past.base, seq, session };
    const attachments = attachmentsOf(state).map(sharedAttachment);
    await store.append({ sessionId, generation: lease.generation, events: [], attachments });
    await store.trim(sessionId, lease.generation, { seq, state });
    log.markTrimmed(seq);
    components = ComponentIndex.from(state);
    recorder = recorderFrom(options, { control: controlOf(state), components });
  }
  for await (const drafts of past.history) await recorder.record(drafts).committed;
  const patch = { isPartial: null };
  await store.append({ sessionId, generation: lease.generation, events: [], patch });
  return { control: recorder.control, components };
}

function recorderFrom(
  { log, clock, lease, onCommitted }: SeedOptions,
  begun: Pick<LoadedSession, "control" | "components">,
): Recorder {
  return new Recorder({
    log,
    ...begun,
    clock,
    runtime: lease.record.runtime,
    // Requests of a past are settled already; none is opened here.
    requestTimeoutMs: 0,
    toolTimeoutMs: () => 0,
    onCommitted,
    // Whoever waits for the commit gets the error.
    onFailed: () => undefined,
  });
}

/** Everything beside the log that a state refers to. */
function attachmentsOf(state: SessionState): Attachment[] {
  const holders: HasAttachments[] = [
    ...state.queue,
    ...Object.values(state.requests),
    ...Object.values(state.tasks),
    ...Object.values(state.surfaces).flat(),
    ...state.messages.flatMap((message): readonly HasAttachments[] =>
      message.role === "user" ? [message] : blocksWithin(message.blocks),
    ),
  ];
  return holders.flatMap(({ attachments = [] }) => attachments);
}

function blocksWithin(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.type === "subagent" ? [block, ...blocksWithin(block.blocks)] : [block],
  );
}
