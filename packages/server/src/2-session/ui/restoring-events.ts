import { isDeepStrictEqual } from "node:util";
import { draft, type EventDraft, type HasAttachments } from "@turnwire/protocol";
import type { ComponentIndex, IndexedComponent } from "./component-index.ts";

/** Events that lead from the components that are shown to those that should be. */
export function restoringEvents(
  shown: ComponentIndex,
  wanted: ComponentIndex,
  by?: string,
): (EventDraft & HasAttachments)[] {
  const cause = by === undefined ? {} : { by };
  const removed = [...shown.ids()].filter((id) => !wanted.get(id));
  const changed = [...wanted.ids()].filter(
    (id) => !isDeepStrictEqual(shown.get(id), wanted.get(id)),
  );
  return [
    ...removed.map((component_id) => draft("component_remove", { component_id, ...cause })),
    ...changed.flatMap((id) => {
      const component = wanted.get(id);
      return component ? [shownAgain(id, component, cause)] : [];
    }),
  ];
}

/** In the chat, it belongs to the turn that showed it. */
function shownAgain(
  component_id: string,
  { attachments, turn_id, ...component }: IndexedComponent,
  cause: { readonly by?: string },
): EventDraft & HasAttachments {
  const place = turn_id === undefined ? {} : { turn_id };
  const data = { component_id, ...component, merge: false, ...cause };
  return { ...draft("component_update", data, place), ...(attachments && { attachments }) };
}
