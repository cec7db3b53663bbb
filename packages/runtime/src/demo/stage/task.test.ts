import { describe, expect, test } from "vitest";
import { dataOf, play, start } from "../test-support/player.ts";

describe("a background task of the demo agent", () => {
  test("continues after its turn, and a stopped turn does not stop it", async () => {
    const recorder = await start();
    const turnId = await recorder.send("/tasks forever");
    const { data } = await recorder.until("task");
    await recorder.interrupt();
    await recorder.turn(turnId);
    await play(recorder, "something else");
    await recorder.run.stopTask?.(data.task_id);
    const stopped = await recorder.until("task");
    expect(stopped.data).toMatchObject({ task_id: data.task_id, status: "stopped" });
    expect(stopped.turn_id).toBe(turnId);
  });

  test("completes by itself", async () => {
    const recorder = await start();
    await play(recorder, "/tasks");
    while (dataOf(recorder.events, "task").length < 2) await recorder.next();
    const statuses = dataOf(recorder.events, "task").map(({ status }) => status);
    expect(statuses).toEqual(["running", "completed"]);
  });

  test("is reported as stopped when the agent goes", async () => {
    const recorder = await start();
    await play(recorder, "/tasks forever");
    await recorder.run.close();
    await recorder.untilEnd();
    expect(dataOf(recorder.events, "task").map(({ status }) => status)).toEqual([
      "running",
      "stopped",
    ]);
  });

  test("cannot be stopped by a wrong id, nor twice", async () => {
    const recorder = await start();
    await recorder.send("/tasks forever");
    const { data } = await recorder.until("task");
    for (const id of ["nothing", data.task_id, data.task_id]) await recorder.run.stopTask?.(id);
    expect((await recorder.until("task")).data.status).toBe("stopped");
    await recorder.until("done");
    await recorder.run.stopTask?.(data.task_id);
    await play(recorder, "hello");
    expect(dataOf(recorder.events, "task")).toHaveLength(2);
  });
});
