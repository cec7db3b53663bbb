import { CreatedToken, WireErrorBody } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { relaySearch } from "../../../../wire-relay/src/index.ts";
import { kit } from "../../../../wire-kit/src/index.ts";
import { webkit } from "../../../../wire-webkit/src/index.ts";
import { startServer, type RunningServer } from "../test-support/running-server.ts";
import { openSocket } from "../test-support/socket-client.ts";

type Right = "open" | "read" | "operate" | "admin";

/**
 * The right that each route demands, stated a second time: a new route fails until its right is
 * here. "+": also for tokens for one session, though the path names none.
 */
const rights: Readonly<Record<string, Right | "read+">> = {
  "GET /sessions/search": "read",
  "POST /sessions": "operate",
  "GET /sessions": "read+",
  "GET /sessions/{session_id}": "read",
  "PATCH /sessions/{session_id}": "operate",
  "DELETE /sessions/{session_id}": "operate",
  "POST /sessions/{session_id}/message": "operate",
  "POST /sessions/{session_id}/steer": "operate",
  "POST /sessions/{session_id}/commands": "operate",
  "POST /sessions/{session_id}/interrupt/{interrupt_id}": "operate",
  "POST /sessions/{session_id}/components": "operate",
  "POST /sessions/{session_id}/stop": "operate",
  "POST /sessions/{session_id}/resume": "operate",
  "POST /sessions/{session_id}/fork": "operate",
  "POST /sessions/{session_id}/rollback": "operate",
  "POST /sessions/{session_id}/compact": "operate",
  "POST /sessions/{session_id}/archive": "operate",
  "POST /sessions/{session_id}/unarchive": "operate",
  "GET /sessions/{session_id}/state": "read",
  "PATCH /sessions/{session_id}/state": "operate",
  "PUT /sessions/{session_id}/components/{component_id}": "operate",
  "DELETE /sessions/{session_id}/components/{component_id}": "operate",
  "PUT /sessions/{session_id}/interrupt/{interrupt_id}": "operate",
  "GET /sessions/{session_id}/snapshot": "read",
  "GET /sessions/{session_id}/events": "read",
  "GET /sessions/{session_id}/attachments/{digest}": "read",
  "GET /watch": "read+",
  "GET /sessions/{session_id}/stream": "read",
  "POST /sessions/{session_id}/input": "operate",
  "GET /genui/schema": "open",
  "GET /relays": "read",
  "GET /runtimes": "read+",
  "GET /history": "read",
  "POST /history/{provider_session_id}/import": "admin",
  "GET /health": "open",
  "GET /metrics": "admin",
  "GET /openapi.json": "read+",
  "GET /hosts": "admin",
  "GET /audit": "admin",
  "GET /paths": "read",
  "GET /projects": "read",
  "POST /projects": "admin",
  "DELETE /projects/{project_id}": "admin",
  "GET /directories": "admin",
  "GET /trust": "admin",
  "PUT /trust": "admin",
  "DELETE /trust": "admin",
  "GET /trust/directories": "admin",
  "GET /policy": "read",
  "POST /policy/rules": "admin",
  "PATCH /policy/rules/{rule_id}": "admin",
  "DELETE /policy/rules/{rule_id}": "admin",
  "GET /worktrees": "read",
  "DELETE /worktrees/{worktree_id}": "admin",
  "GET /sessions/{session_id}/worktree": "read",
  "GET /login/{code}": "open",
  "POST /login/{code}": "open",
  "POST /login": "admin",
  "POST /logout": "operate",
  "GET /logins": "admin",
  "DELETE /logins": "admin",
  "PATCH /logins/{login_id}": "admin",
  "DELETE /logins/{login_id}": "admin",
  "GET /": "open",
  "POST /tokens": "admin",
  "GET /tokens": "admin",
  "DELETE /tokens/{token_id}": "admin",
};

const sockets: Readonly<Record<string, Right | "read+">> = {
  "/sessions/{session_id}/ws": "read",
  "/watch/ws": "read+",
  "/ws": "operate",
};

const wires = () => [webkit(), kit(), relaySearch([])];

describe("the right that a path demands", () => {
  test("is stated for every route and socket", async () => {
    const { server } = await startServer({ wires: wires() });
    const stated = (access: Right, isNarrowed = false) => (isNarrowed ? `${access}+` : access);
    const { table } = server;
    expect(
      Object.fromEntries(
        table.routes.map(({ method, path, access, isNarrowed }) => [
          `${method} ${path}`,
          stated(access, isNarrowed),
        ]),
      ),
    ).toEqual(rights);
    expect(
      Object.fromEntries(
        table.sockets.map(({ path, access, isNarrowed }) => [path, stated(access, isNarrowed)]),
      ),
    ).toEqual(sockets);
  });
});

const scopes = ["read", "operate", "admin"] as const;
const rank = { open: 0, read: 1, operate: 2, admin: 3 };

/** What somebody is answered: a code, or nothing where the gate lets them through. */
async function answerTo(
  { url }: RunningServer,
  path: string,
  init: RequestInit,
): Promise<string | undefined> {
  const answer = await fetch(`${url}${path}`, init);
  if (answer.status !== 403 && answer.status !== 404) {
    await answer.body?.cancel();
    return undefined;
  }
  const body = WireErrorBody.safeParse(await answer.json());
  return body.data?.error.code;
}

async function tokenFor({ request }: RunningServer, wish: object): Promise<string> {
  return CreatedToken.parse(await (await request("/tokens", { json: wish })).json()).token;
}

function requestOn(route: string, sessionId: string, token: string) {
  const [method = "", template = ""] = route.split(" ");
  const path = template.replace("{session_id}", sessionId).replaceAll(/\{[a-z_]+\}/g, "x");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const takesBody = method !== "GET" && method !== "DELETE";
  return { path, init: { method, headers, ...(takesBody && { body: "{}" }) } };
}

const [closed, closedSockets] = [rights, sockets].map((paths) =>
  Object.entries(paths).flatMap(([path, right]) => {
    const access = right === "read+" ? "read" : right;
    return access === "open" ? [] : [{ path, access, isNarrowed: right === "read+" }];
  }),
);

describe.each(scopes)("a token to %s", (scope) => {
  test("is let through by exactly the routes for it", async () => {
    const running = await startServer({ wires: wires() });
    const token = await tokenFor(running, { scope });
    for (const { path: route, access } of closed ?? []) {
      const { path, init } = requestOn(route, await running.createSession(), token);
      const isRefused = (await answerTo(running, path, init)) === "forbidden";
      expect(`${route}: ${isRefused}`).toBe(`${route}: ${rank[access] > rank[scope]}`);
    }
  });

  test("is let through by exactly the sockets for it", async () => {
    const running = await startServer();
    const token = await tokenFor(running, { scope });
    const id = await running.createSession();
    for (const { path, access } of closedSockets ?? []) {
      expect(`${path}: ${await opens(running, path.replace("{session_id}", id), token)}`).toBe(
        `${path}: ${rank[access] <= rank[scope]}`,
      );
    }
  });
});

describe.each(["read", "operate"] as const)("a token to %s one session", (scope) => {
  test("is let through where a path is about it or narrowed to it, and knows no other", async () => {
    const running = await startServer({ wires: wires() });
    for (const { path: route, access, isNarrowed } of closed ?? []) {
      const [mine, other] = [await running.createSession(), await running.createSession()];
      const token = await tokenFor(running, { scope, session_id: mine });
      const isAbout = route.includes(" /sessions/{session_id}");
      const isPermitted = rank[access] <= rank[scope] && (isAbout || isNarrowed);
      const code = async (id: string) => {
        const { path, init } = requestOn(route, id, token);
        return answerTo(running, path, init);
      };
      const elsewhere = isAbout ? "session_not_found" : undefined;
      const expected = isPermitted ? elsewhere : "forbidden";
      expect(`${route}: ${await code(other)}`).toBe(`${route}: ${expected}`);
      // A fork is about the session, but makes another.
      const isMade = isPermitted && !route.endsWith("/fork");
      expect(`${route}: ${(await code(mine)) === "forbidden"}`).toBe(`${route}: ${!isMade}`);
      await running.request(`/tokens/${token.slice(9, 25)}`, { method: "DELETE" });
    }
  });

  test("opens the sockets about it", async () => {
    const running = await startServer();
    const mine = await running.createSession();
    const token = await tokenFor(running, { scope, session_id: mine });
    for (const { path, access, isNarrowed } of closedSockets ?? []) {
      const isPermitted =
        rank[access] <= rank[scope] && (isNarrowed || path.includes("{session_id}"));
      expect(`${path}: ${await opens(running, path.replace("{session_id}", mine), token)}`).toBe(
        `${path}: ${isPermitted}`,
      );
    }
  });
});

async function opens({ url }: RunningServer, path: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return openSocket(`${url}${path}`, { headers }).then(
    () => true,
    (error: Error) => {
      expect(error.message).toContain("403");
      return false;
    },
  );
}
