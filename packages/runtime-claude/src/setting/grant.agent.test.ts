import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionEvent } from "@turnwire/protocol";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();
let host: SessionHost;

beforeAll(() => {
  host = openClaudeHost(place);
});
afterAll(() => host.close());

const command = "SCENARIO:tool node -p 1";

function asks(events: readonly SessionEvent[]): boolean {
  return events.some(({ type }) => type === "permission_request");
}

/** A session in which a person allowed the command for good. */
async function grantedSession(): Promise<ClaudeSession> {
  const own = await ClaudeSession.create(host);
  const turnId = await own.say(command);
  const { suggestions = [] } = await own.asked(turnId);
  await own.decide(turnId, {
    behavior: "allow",
    updated_permissions: suggestions.slice(0, 1),
  });
  return own;
}

test("what was allowed for the session is listed, and still holds after the agent slept", async () => {
  const own = await grantedSession();
  const { grants = [] } = own.session.control.session;
  expect(grants).toMatchObject([{ tool_name: "Bash", permission: { type: "addRules" } }]);
  expect(asks(await own.turn(command))).toBe(false);
  await own.session.hibernate();
  const woken = await ClaudeSession.open(host, own.session.id);
  expect(asks(await woken.turn(command))).toBe(false);
  expect(woken.session.control.session.grants).toEqual(grants);
  await woken.session.hibernate();
});

test("what was revoked is asked for again, by the same process and by the next", async () => {
  const own = await grantedSession();
  const [grant] = own.session.control.session.grants ?? [];
  await own.execute({ type: "revoke_permission", grant_id: grant?.grant_id ?? "" });
  expect(own.session.control.session.grants).toBeUndefined();
  const turnId = await own.say(command);
  await own.decide(turnId, { behavior: "deny" });
  await own.session.hibernate();
  const woken = await ClaudeSession.open(host, own.session.id);
  const next = await woken.say(command);
  expect(asks(await woken.decide(next, { behavior: "deny" }))).toBe(true);
  await woken.session.hibernate();
});
