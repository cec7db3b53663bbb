import type { EventData, EventDraft } from "@turnwire/protocol";
import { createDemoRuntime, type Normalizer, type Runtime } from "@turnwire/server";
import type { Locator, Page } from "playwright-core";

type PermissionAsked = EventData<"permission_request">;

/** The card of an open request, by what it asks. */
export function requestCard(page: Page, title: string | RegExp): Locator {
  return page.getByRole("group", { name: title });
}

/** Waits until a card that got the focus takes letters. */
export async function untilArmed(card: Locator): Promise<void> {
  await card.and(card.page().locator('[data-armed="true"]')).waitFor();
}

/** The demo runtime, asking for something else wherever it asks for permission. */
export function demoThatAsks(change: (asked: PermissionAsked) => PermissionAsked): Runtime {
  const demo = createDemoRuntime({ delayMs: 0 });
  return { ...demo, normalizer: changing(demo.normalizer, change) };
}

function changing<State>(
  normalizer: Normalizer<unknown, State>,
  change: (asked: PermissionAsked) => PermissionAsked,
): Normalizer<unknown, State> {
  const changed = (draft: EventDraft): EventDraft =>
    draft.type === "permission_request" ? { ...draft, data: change(draft.data) } : draft;
  return {
    initial: () => normalizer.initial(),
    step: (state, message) => {
      const [next, drafts] = normalizer.step(state, message);
      return [next, drafts.map(changed)];
    },
    end: (state, end) => normalizer.end(state, end),
  };
}
