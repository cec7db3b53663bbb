import type { EventDraft } from "@turnwire/protocol";
import { demo } from "@turnwire/runtime/demo";
import type { Normalizer, Runtime } from "@turnwire/runtime";
import type { Locator, Page } from "playwright-core";

type ChangeDraft = (draft: EventDraft) => readonly EventDraft[];

/** The card of an open request, by what it asks. */
export function requestCard(page: Page, title: string | RegExp): Locator {
  return page.getByRole("group", { name: title });
}

/** Waits until a card that got the focus takes letters. */
export async function untilArmed(card: Locator): Promise<void> {
  await card.and(card.page().locator('[data-armed="true"]')).waitFor();
}

/** The demo runtime with its events changed on their way into the log. */
export function changedDemo(change: ChangeDraft): Runtime {
  const scripted = demo({ delayMs: 0 });
  return { ...scripted, normalizer: changing(scripted.normalizer, change) };
}

function changing<State>(
  normalizer: Normalizer<unknown, State>,
  change: ChangeDraft,
): Normalizer<unknown, State> {
  return {
    initial: () => normalizer.initial(),
    step: (state, message) => {
      const [next, drafts] = normalizer.step(state, message);
      return [next, drafts.flatMap(change)];
    },
    end: (state, end) => normalizer.end(state, end),
  };
}
