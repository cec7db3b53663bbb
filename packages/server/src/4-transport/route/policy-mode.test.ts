import { describe, expect, test } from "vitest";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import { codeOf, startServer, type StartOptions } from "../test-support/running-server.ts";

/** The bearer names who it is; only `owner` is an admin. */
const people: StartOptions = {
  auth: {
    type: "authorize",
    authorize: ({ bearer }) => ({ id: "owner", isAdmin: bearer === "owner" }),
  },
};

const as = (who: string) => ({ headers: { authorization: `Bearer ${who}` } });

describe("policy modes over HTTP", () => {
  test("are chosen at creation, shown and changed", async () => {
    const { request } = await startServer();
    const created = await request("/sessions", { json: { policy_mode: "planner" } });
    expect(created.status).toBe(201);
    const { session_id: id, policy_mode } = await created.json();
    expect(policy_mode).toBe("planner");
    const patched = await request(`/sessions/${id}`, {
      method: "PATCH",
      json: { policy_mode: "implementation" },
    });
    expect(await patched.json()).toMatchObject({ policy_mode: "implementation" });
    const removed = await request(`/sessions/${id}/commands`, {
      json: { type: "set_policy_mode", mode: null },
    });
    expect(removed.status).toBe(202);
    const list = await (await request("/sessions")).json();
    expect(list.sessions[0]).not.toHaveProperty("policy_mode");
  });

  test.each([
    ["unknown", "owner", 400, "unknown_policy_mode"],
    ["unrestricted", "guest", 403, "policy_loosening_not_allowed"],
    [null, "guest", 403, "policy_loosening_not_allowed"],
    ["", "owner", 400, "invalid_request"],
  ])("%j by %s is %i %s, at creation and later", async (mode, who, status, code) => {
    const options = { ...people, hostOptions: { defaultPolicyMode: "planner" } };
    const { request } = await startServer(options);
    const refused = await request("/sessions", { json: { policy_mode: mode }, ...as(who) });
    expect([refused.status, await codeOf(refused)]).toEqual([status, code]);
    const created = await request("/sessions", { json: {}, ...as(who) });
    const { session_id: id, policy_mode } = await created.json();
    expect(policy_mode).toBe("planner");
    for (const answer of [
      await request(`/sessions/${id}`, {
        method: "PATCH",
        json: { title: "new", policy_mode: mode },
        ...as(who),
      }),
      await request(`/sessions/${id}/commands`, {
        json: { type: "set_policy_mode", mode },
        ...as(who),
      }),
    ]) {
      expect([answer.status, await codeOf(answer)]).toEqual([status, code]);
    }
    const info = await (await request(`/sessions/${id}`, as(who))).json();
    expect(info).toMatchObject({ policy_mode: "planner" });
    expect(info).not.toHaveProperty("title");
  });

  test("an unattended message asks no one, and the log states why each tool was refused", async () => {
    const { request, createSession, session } = await startServer();
    const id = await createSession({ policy_mode: "planner" });
    const sent = await request(`/sessions/${id}/message`, {
      json: { message: "/policy", is_unattended: true },
    });
    expect(sent.status).toBe(202);
    const { log } = await session(id);
    await eventOf(log, "done");
    const events = await readAll(log);
    const decisions = events.flatMap(({ type, data }) => (type === "policy_decision" ? data : []));
    expect(new Set(decisions.map(({ verdict }) => verdict))).toEqual(new Set(["allow", "deny"]));
    expect(decisions.filter(({ is_unattended }) => is_unattended)).not.toEqual([]);
    expect(events.map(({ type }) => type)).not.toContain("permission_request");
  });

  test("an answer that the policy denies is 422, and the request can be answered again", async () => {
    const { request, createSession, session } = await startServer();
    const id = await createSession({ policy_mode: "planner" });
    await request(`/sessions/${id}/message`, { json: { message: "/policy" } });
    const { log } = await session(id);
    const { data } = await eventOf(log, "permission_request");
    expect(data.policy).toMatchObject({ mode: "planner" });
    const answer = (more: object) =>
      request(`/sessions/${id}/commands`, {
        json: {
          type: "permission_response",
          correlation_id: data.correlation_id,
          behavior: "allow",
          ...more,
        },
      });
    const refused = await answer({ updated_input: { command: "git push --force" } });
    expect([refused.status, await codeOf(refused)]).toEqual([422, "policy_denied"]);
    expect((await answer({})).status).toBe(202);
    await eventOf(log, "done");
  });
});
