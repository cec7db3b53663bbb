import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "@turnwire/protocol";
import { expect } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import type { ClaudePlace } from "./claude-place.ts";
import { ClaudeSession } from "./claude-session.ts";

/** A person takes the first suggestion of what Claude asks `before`; gives back what happens `after` that. */
export async function playSuggestion(
  place: ClaudePlace,
  host: SessionHost,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<SessionEvent[]> {
  const own = await ClaudeSession.create(host);
  const first = await own.say(before);
  const { suggestions = [] } = await own.asked(first);
  expect(suggestions).toContainEqual(expect.objectContaining({ destination: "session" }));
  const updated_permissions = suggestions.slice(0, 1);
  await own.decide(first, { behavior: "allow", updated_permissions });
  const events: SessionEvent[] = [];
  for (let use = 0; use < 3; use += 1) events.push(...(await own.turn(after)));
  expect(existsSync(join(place.cwd, ".claude"))).toBe(false);
  await own.session.hibernate();
  return events;
}
