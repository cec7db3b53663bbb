import { describe, expect, test } from "vitest";
import { startServer } from "../test-support/running-server.ts";

describe("sessions", () => {
  test("creating a session answers 201 with the session", async () => {
    const { request } = await startServer();
    const answer = await request("/sessions", { json: { title: "first" } });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      title: "first",
      runtime: "demo",
      activity: "idle",
    });
  });
});
