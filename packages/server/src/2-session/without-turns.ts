import { type Control, foldControl, type JsonValue, type SessionState } from "@turnwire/protocol";
import { eventFrom } from "@turnwire/log";
import type { Recorder } from "./record/recorder.ts";
import { readPages } from "./decide/turn-list.ts";
import { ComponentIndex } from "./ui/component-index.ts";

/** What a session would show if some of its turns had never been. */
export interface UiWithoutTurns {
  readonly components: ComponentIndex;
  readonly shared: JsonValue;
}

/**
 * Continues from the state before the first of these turns with everything that belongs to none of
 * them, up to the present: nothing may be recorded between this and what is made of it.
 */
export async function uiWithoutTurns(
  before: SessionState,
  turnIds: ReadonlySet<string>,
  recorder: Recorder,
): Promise<UiWithoutTurns> {
  const { log } = recorder;
  const components = ComponentIndex.from(before);
  let control: Control = before;
  for (;;) {
    // Rejects once something could not be stored: the log would never come up with the control.
    await recorder.record([]).committed;
    for await (const page of readPages(log, log.head, control.seq)) {
      for (const stored of page) {
        const event = eventFrom(log.sessionId, stored);
        const isUndone = event.turn_id !== undefined && turnIds.has(event.turn_id);
        if (!isUndone) components.observe(event);
        control = isUndone ? { ...control, seq: event.seq } : foldControl(control, event);
      }
    }
    if (control.seq === recorder.control.seq) return { components, shared: control.shared };
  }
}
