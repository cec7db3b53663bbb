import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, ending, openClaudeHost } from "../test-support/claude-session.ts";
import { playSuggestion } from "../test-support/suggestion.ts";

const place = useClaudePlace();
let host: SessionHost;

beforeAll(() => {
  host = openClaudeHost(place);
});
afterAll(() => host.close());

test.each([
  ["run a command", "SCENARIO:tool node -p 1"],
  ["touch a file", "SCENARIO:tool touch again.txt"],
])("Claude does not ask again to %s once the first suggestion was taken", async (_, prompt) => {
  const events = await playSuggestion(place, host, { before: prompt, after: prompt });
  expect(events.some(({ type }) => type === "permission_request")).toBe(false);
});

test("a turn of Claude ends once, as an error, with each status with which its model fails", async () => {
  const own = await ClaudeSession.create(host);
  for (const status of ["401", "429", "529"]) {
    const events = await own.turn(`SCENARIO:error ${status}`);
    expect(ending(events)).toMatchObject({ isError: true, isStopped: false, done: 1 });
    expect(ending(await own.turn("SCENARIO:text fine again"))).toMatchObject({ isError: false });
  }
});
