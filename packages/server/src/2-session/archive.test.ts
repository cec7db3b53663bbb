import { describe, expect, test } from "vitest";
import { ScriptedRuntime } from "../test-support/scripted-runtime.ts";
import { eventOf } from "../test-support/log-reader.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";
import type { Session } from "./session.ts";

/** A runtime whose provider has an archive too. */
class ArchivingRuntime extends ScriptedRuntime {
  readonly archivings: string[] = [];
  /** Set to let the provider take its time, or fail. */
  move = async (): Promise<void> => undefined;

  async setArchived(id: string, isArchived: boolean): Promise<void> {
    const isClosed = this.runs.every(({ asked }) => asked.some(({ type }) => type === "close"));
    this.archivings.push(`${isArchived ? "in" : "out"} ${id}${isClosed ? "" : " too early"}`);
    await this.move();
  }
}

async function openSession(): Promise<{ session: Session; runtime: ArchivingRuntime }> {
  const runtime = new ArchivingRuntime();
  const { host } = openTestHost({ runtimes: [runtime] });
  const session = await createTestSession(host);
  const provider_session_id = "theirs";
  await session.record([{ type: "session_updated", data: { provider_session_id } }]);
  await session.wake();
  return { session, runtime };
}

describe("a session in the archive", () => {
  test("takes the provider's along once its agent is gone, and brings it back", async () => {
    const { session, runtime } = await openSession();
    await session.execute({ type: "archive" }, admin);
    await expect.poll(() => runtime.archivings).toEqual(["in theirs"]);
    await session.execute({ type: "unarchive" }, admin);
    await expect.poll(() => runtime.archivings).toEqual(["in theirs", "out theirs"]);
  });

  test("wakes only when the provider's is out", async () => {
    const { session, runtime } = await openSession();
    await session.execute({ type: "archive" }, admin);
    await expect.poll(() => runtime.archivings).toEqual(["in theirs"]);
    let release: () => void = () => undefined;
    const moved = new Promise<void>((resolve) => {
      release = resolve;
    });
    runtime.move = () => moved;
    await session.execute({ type: "unarchive" }, admin);
    const waking = session.wake();
    await expect.poll(() => runtime.archivings).toContain("out theirs");
    await new Promise((resolve) => setImmediate(resolve));
    expect(runtime.runs).toHaveLength(1);
    release();
    expect(await waking).toMatchObject({ ok: true });
    expect(runtime.runs).toHaveLength(2);
  });

  test("says so when the provider's cannot be moved, and wakes all the same", async () => {
    const { session, runtime } = await openSession();
    runtime.move = () => Promise.reject(new Error("it is lost"));
    await session.execute({ type: "archive" }, admin);
    expect((await eventOf(session.log, "error")).data.message).toContain("it is lost");
    runtime.move = async () => undefined;
    await session.execute({ type: "unarchive" }, admin);
    expect(await session.wake()).toMatchObject({ ok: true });
  });
});
