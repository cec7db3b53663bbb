import { expect, test } from "vitest";
import { endOf } from "../../test-support/log-reader.ts";
import { admin, createTestSession } from "../../test-support/test-host.ts";
import { followedOn, openTestHosts } from "../../test-support/test-hosts.ts";

test("a session that was handed over is left to the host that asked for it, whoever reads it here", async () => {
  const { store, first, second } = openTestHosts();
  const session = await createTestSession(first.host);
  const ended = endOf(session.log);
  await store.putInboxEntry(session.id, JSON.stringify({ kind: "hand_over" }));
  expect(await ended).toBe("released");
  await followedOn(first.host, session.id);
  expect(await second.host.open(session.id, admin)).toMatchObject({ ok: true });
});
