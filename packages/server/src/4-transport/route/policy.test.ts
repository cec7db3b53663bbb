import { parsePolicy } from "@turnwire/policy";
import { PolicyInfo, PolicyRule } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import {
  type StartOptions,
  startServer,
  type TestRequest,
} from "../test-support/running-server.ts";

async function start(options: StartOptions = {}) {
  const running = await startServer(options);
  const { request } = running;
  const { projects } = await running.host.projects.list({ id: "a", isAdmin: true });
  return {
    ...running,
    path: projects[0]?.path ?? "",
    policy: async (query = "", init: TestRequest = {}) =>
      PolicyInfo.parse(await (await request(`/policy${query}`, init)).json()),
    add: (rule: unknown) => request("/policy/rules", { json: rule }),
    patch: (id: string, change: unknown) =>
      request(`/policy/rules/${id}`, { method: "PATCH", json: change }),
  };
}

const npmTest = { kind: "argv", argv: ["npm", "test"] };

async function errorOf(answer: Response): Promise<unknown> {
  return { status: answer.status, ...((await answer.json()) as object) };
}

describe("the policy over HTTP", () => {
  test("has the built-in modes with what they are for", async () => {
    const { policy } = await start();
    const info = await policy();
    expect(info).toMatchObject({ files: [], rules: [], can_edit: true });
    expect(info.version).toMatch(/^[0-9a-f]{64}$/);
    expect(info.modes.map(({ name, level, max_turns }) => [name, level, max_turns])).toEqual([
      ["planner", "built_in", 30],
      ["implementation", "built_in", 100],
      ["unrestricted", "built_in", undefined],
    ]);
  });

  test("marks modes that allow everything, whatever their name", async () => {
    const { modes } = await (await start()).policy();
    const marked = modes.filter(({ is_unrestricted }) => is_unrestricted);
    expect(marked.map(({ name }) => name)).toEqual(["unrestricted"]);
    const source = parsePolicy({ version: 1, modes: { free: { extends: "unrestricted" } } });
    const own = await start({ hostOptions: { policy: { current: () => ({ policy: source }) } } });
    const free = (await own.policy()).modes.find(({ name }) => name === "free");
    expect(free).toMatchObject({ is_unrestricted: true, is_built_in: false });
  });

  test("says which mode sessions get that choose none", async () => {
    expect(await (await start()).policy()).not.toHaveProperty("default_mode");
    const configured = await start({ hostOptions: { defaultPolicyMode: "planner" } });
    expect(await configured.policy()).toMatchObject({ default_mode: "planner" });
    const { path } = configured;
    const there = await configured.policy(`?path=${encodeURIComponent(path)}`);
    expect(there.default_mode).toBe("planner");
  });

  test("takes rules, lists them newest first, changes and revokes them, each with a new version", async () => {
    const { policy, add, patch, request } = await start();
    const before = await policy();
    const first = PolicyRule.parse(await (await add(npmTest)).json());
    expect(first).toMatchObject({ ...npmTest, verdict: "allow", created_by: "local" });
    const second = PolicyRule.parse(
      await (await add({ kind: "host", host: "example.com", mode: "planner" })).json(),
    );
    const listed = await policy();
    expect(listed.rules.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(listed.version).not.toBe(before.version);
    const changed = await patch(second.id, { host: "*.example.com", mode: null, note: "docs" });
    expect(await changed.json()).toEqual({
      id: second.id,
      kind: "host",
      host: "*.example.com",
      verdict: "allow",
      note: "docs",
      created_at: second.created_at,
      created_by: "local",
      updated_at: expect.any(String),
    });
    const remove = () => request(`/policy/rules/${first.id}`, { method: "DELETE" });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await policy()).rules.map(({ id }) => id)).toEqual([second.id]);
  });

  test("has a rule once, however often it is added at the same time", async () => {
    const { policy, add } = await start();
    const answers = await Promise.all([add(npmTest), add(npmTest), add(npmTest)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect((await policy()).rules).toHaveLength(1);
  });

  test("shows the rules that hold where a session works, and in a directory", async () => {
    const { policy, add, path, createSession } = await start();
    const session = await createSession();
    await add({ ...npmTest, project: path });
    await add({ kind: "tool", tool: "X", project: "/etc" });
    expect((await policy()).rules).toHaveLength(2);
    expect((await policy(`?session=${session}`)).rules).toMatchObject([{ project: path }]);
    expect((await policy(`?path=${encodeURIComponent(path)}`)).rules).toHaveLength(1);
  });

  test.each([
    ["a body that is not a rule", { kind: "argv" }, "invalid_request", "argv"],
    ["an unknown kind", { kind: "all" }, "invalid_request", "kind"],
    ["an unknown field", { ...npmTest, reason: "x" }, "invalid_request", "reason"],
    ["a rule that denies", { ...npmTest, verdict: "deny" }, "invalid_request", "verdict"],
    [
      "a whole command as one word",
      { kind: "argv", argv: ["npm test"] },
      "invalid_request",
      "each word by itself",
    ],
    ["every tool", { kind: "tool", tool: "*" }, "invalid_request", "every tool"],
    [
      "a relative path",
      { kind: "path", path: "a", access: "read" },
      "invalid_request",
      "must begin with",
    ],
    ["an unknown mode", { ...npmTest, mode: "none" }, "unknown_policy_mode", "There are: planner"],
    ["a directory that is not there", { ...npmTest, project: "/none" }, "not_found", "/none"],
  ])("refuses %s", async (_, rule, code, text) => {
    const { policy, add } = await start();
    const error = await errorOf(await add(rule));
    expect(error).toMatchObject({ error: { code } });
    expect(JSON.stringify(error)).toContain(text);
    expect((await policy()).rules).toEqual([]);
  });

  test("refuses a change that leaves no rule, and keeps what was", async () => {
    const { policy, add, patch } = await start();
    const { id } = PolicyRule.parse(await (await add(npmTest)).json());
    for (const change of [
      { argv: null },
      { argv: [] },
      { host: "example.com" },
      { id: "other" },
      { verdict: "deny" },
      { mode: "none" },
      "text",
      null,
    ]) {
      expect((await patch(id, change)).status).toBe(400);
    }
    expect((await patch("own-none", { argv: ["ls"] })).status).toBe(404);
    expect((await policy()).rules).toMatchObject([npmTest]);
  });

  test("refuses more rules than there may be", async () => {
    const rules = Array.from({ length: 500 }, (_, index) => ({
      id: `own-${index}`,
      created_at: "2026-01-01T00:00:00.000Z",
      kind: "tool" as const,
      tool: `tool${index}`,
      verdict: "allow" as const,
    }));
    const { add } = await start({
      hostOptions: {
        policyRules: { load: () => Promise.resolve(rules), save: () => Promise.resolve() },
      },
    });
    expect(await errorOf(await add(npmTest))).toMatchObject({
      status: 400,
      error: { message: "There are 500 policy rules already: remove some first." },
    });
  });

  test("does not count a rule that could not be stored, and takes the next", async () => {
    let isFull = true;
    const { policy, add, errors } = await start({
      hostOptions: {
        policyRules: {
          load: () => Promise.resolve([]),
          save: () => (isFull ? Promise.reject(new Error("disk full")) : Promise.resolve()),
        },
      },
    });
    expect((await add(npmTest)).status).toBe(500);
    expect(errors).toHaveLength(1);
    expect((await policy()).rules).toEqual([]);
    isFull = false;
    expect((await add(npmTest)).status).toBe(201);
  });

  test("shows only modes and the default without admin rights; rules are the admins'", async () => {
    const { policy, request, path } = await start({
      hostOptions: { defaultPolicyMode: "planner" },
      auth: {
        type: "authorize",
        authorize: ({ bearer }) => ({ id: "eve", isAdmin: bearer === "admin" }),
      },
    });
    const admin = { headers: { authorization: "Bearer admin" } };
    const eve = { headers: { authorization: "Bearer eve" } };
    const added = await request("/policy/rules", { json: npmTest, ...admin });
    expect(added.status).toBe(201);
    const { id } = PolicyRule.parse(await added.json());
    expect(await policy("", eve)).toMatchObject({ files: [], rules: [], can_edit: false });
    expect(await policy("", eve)).toMatchObject({ default_mode: "planner" });
    expect((await policy("", eve)).modes).toHaveLength(3);
    for (const [method, at] of [
      ["POST", "/policy/rules"],
      ["PATCH", `/policy/rules/${id}`],
      ["DELETE", `/policy/rules/${id}`],
    ] as const) {
      const json = method === "DELETE" ? {} : { json: npmTest };
      expect((await request(at, { method, ...json, ...eve })).status).toBe(403);
    }
    expect((await request(`/policy?path=${encodeURIComponent("/etc")}`, eve)).status).toBe(403);
    expect((await request(`/policy?path=${encodeURIComponent(path)}`, eve)).status).toBe(200);
    expect((await request("/policy?session=none", eve)).status).toBe(404);
  });
});
