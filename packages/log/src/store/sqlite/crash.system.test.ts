import { describe, expect, test } from "vitest";
import { startChild } from "./test-support/child.ts";
import { eventsFrom } from "../../test-support/session.ts";
import { testKilledAppender } from "./test-support/killed-appender.ts";
import { openForTest, temporaryPath } from "./test-support/temporary-store.ts";

const appendForever = new URL("./test-support/append-forever.ts", import.meta.url);
const appendOnce = new URL("./test-support/append-once.ts", import.meta.url);

testKilledAppender([1, 100]);

describe("a process that is killed while it appends", () => {
  test("before the commit: nothing of the batch is there", async () => {
    const path = await temporaryPath();
    const child = await startChild(appendOnce, path, "before_commit:kill");
    const lines: string[] = [];
    for await (const line of child.lines) lines.push(line);
    expect(await child.ended).toBe("SIGKILL");
    expect(lines).toStrictEqual([]);
    const store = await openForTest(path);
    expect(await store.getSession("one")).toBeUndefined();
  });

  test("after the commit, before the ack: all of the batch is there", async () => {
    const path = await temporaryPath();
    const child = await startChild(appendOnce, path, "after_commit:kill");
    const lines: string[] = [];
    for await (const line of child.lines) lines.push(line);
    expect(await child.ended).toBe("SIGKILL");
    expect(lines).toStrictEqual([]);
    const store = await openForTest(path);
    expect(await store.getSession("one")).toMatchObject({ head: 3, epoch: "first" });
    expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 3));
  });
});

describe("a store that another process has open", () => {
  test("is refused as locked until that process is gone, however it ended", async () => {
    const path = await temporaryPath();
    const child = await startChild(appendForever, path);
    for await (const _ of child.lines) {
      await expect(openForTest(path)).rejects.toMatchObject({
        code: "locked",
        message: expect.stringContaining("stop it or give this one another path"),
      });
      break;
    }
    child.process.kill("SIGKILL");
    await child.ended;
    const store = await openForTest(path);
    expect(await store.listSessions({ limit: 10 })).toHaveLength(2);
  });

  test("is refused as locked in the same process too, and the first stays usable", async () => {
    const path = await temporaryPath();
    const first = await openForTest(path);
    await expect(openForTest(path)).rejects.toMatchObject({ code: "locked" });
    await expect(openForTest(path)).rejects.toMatchObject({ code: "locked" });
    expect(await first.listSessions({ limit: 10 })).toStrictEqual([]);
    await first.close();
    await openForTest(path);
  });
});
