import { draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { ScriptedRuntime } from "../test-support/scripted-runtime.ts";
import { admin } from "../test-support/test-host.ts";
import { openTestHosts } from "../test-support/test-hosts.ts";

const past = { runtime: "scripted", provider_session_id: "past-1" };
const ts = "2026-01-01T00:00:00.000Z";

/** An agent that was used on this machine before; `read` is awaited before its conversation is known. */
function usedBefore(read: () => Promise<void>): ScriptedRuntime {
  return Object.assign(new ScriptedRuntime(), {
    history: {
      list: async () => [{ provider_session_id: "past-1", updated_at: ts, resume_command: "" }],
      read: async () => {
        await read();
        return [{ ...draft("notice", { level: "info", text: "long ago" }), ts }];
      },
    },
  });
}

describe("a conversation of an agent's own program", () => {
  test("becomes one session, also where two hosts are asked for it at the same moment", async () => {
    const answers: (() => void)[] = [];
    const read = () => new Promise<void>((resolve) => answers.push(resolve));
    const { open, store } = openTestHosts();
    const [first, second] = [1, 2].map(() => open({ runtimes: [usedBefore(read)] }).host);
    const imported = Promise.all([
      first?.past.import(past, admin),
      second?.past.import(past, admin),
    ]);
    await expect.poll(() => answers.length).toBeGreaterThan(0);
    for (const answer of answers) answer();
    const [made, refused] = (await imported).toSorted((one) => (one?.ok ? -1 : 1));
    expect(made).toMatchObject({ ok: true, value: { isNew: true } });
    expect(refused).toMatchObject({ ok: false, error: { code: "overloaded", retryable: true } });
    const again = await second?.past.import(past, admin);
    expect(again).toMatchObject({ ok: true, value: { isNew: false } });
    expect(await store.listSessions({ limit: 10 })).toHaveLength(1);
  });
});
