import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { eventOf } from "../../test-support/log-reader.ts";
import { reopen } from "../../test-support/played-session.ts";
import { admin } from "../../test-support/test-host.ts";
import { openLab } from "../../test-support/worktree-lab.ts";

const message = { type: "user_message", content: "continue" } as const;

/** Two hosts that see the same files; each makes worktrees in a directory of its own. */
async function openHosts() {
  const lab = await openLab();
  const store = createMemoryStore({ isShared: true });
  const open = (name: string) =>
    lab.openHost({ store, storage: "nas", worktrees: { directory: join(lab.place, name) } });
  return { first: open("first"), second: open("second") };
}

describe("a session in a worktree that another host of its storage takes over", () => {
  test("works there where it worked before, can be copied, and is deleted with its worktree", async () => {
    const { first, second } = await openHosts();
    const { id, cwd } = await first.session();
    await first.host.close();
    const taken = await reopen(second.host, id);
    await taken.execute(message, admin);
    const run = await second.runtime.run();
    expect(run.options.cwd).toBe(cwd);
    run.finish((await run.wasAsked("send")).input.turnId);
    await eventOf(taken.log, "done");
    const copy = await taken.execute({ type: "fork" }, admin);
    expect(copy).toMatchObject({ ok: true, value: { forked: { cwd } } });
    if (copy.ok) await second.host.delete(copy.value.forked?.session_id ?? "", admin);
    expect(await second.remove(id)).toMatchObject({ is_removed: true });
  });

  test("ends its turn as workspace_unavailable where the worktree is not there", async () => {
    const { first, second } = await openHosts();
    const { id, worktree } = await first.session();
    await first.host.close();
    await rm(worktree.path, { recursive: true });
    const taken = await reopen(second.host, id);
    await taken.execute(message, admin);
    expect((await eventOf(taken.log, "error")).data).toMatchObject({
      code: "workspace_unavailable",
      message: expect.stringContaining(worktree.path),
    });
    expect(second.runtime.runs).toHaveLength(0);
  });
});
