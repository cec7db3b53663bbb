import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditPage } from "@turnwire/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { createAuditFile } from "../../3-host/audit/audit-file.ts";
import { startServer, testToken } from "../test-support/running-server.ts";
import { openSocket } from "../test-support/socket-client.ts";

let directory: string;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "turnwire-audit-")));
  return () => rm(directory, { recursive: true, force: true });
});

function startAudited(options: Parameters<typeof startServer>[0] = {}) {
  return startServer({ ...options, hostOptions: { audit: createAuditFile(directory) } });
}

type Running = Awaited<ReturnType<typeof startAudited>>;

async function auditOf({ request }: Running): Promise<AuditPage> {
  return (await request("/audit")).json();
}

const actionsOf = async (running: Running) =>
  (await auditOf(running)).entries.map(({ action, outcome }) => `${action}: ${outcome}`);

describe("the audit log", () => {
  test("has who changed what, from where, whatever wire it came by, and no secrets", async () => {
    const running = await startAudited({ clientAddress: () => "203.0.113.7" });
    const { request, url } = running;
    const login = await request("/login", { method: "POST", json: {} });
    const { path } = await login.json();
    await fetch(`${url}${path}`, { method: "POST" });
    await fetch(`${url}${path}`, { method: "POST" });
    const rule = { kind: "argv", argv: ["make"], verdict: "allow" };
    await request("/policy/rules", { method: "POST", json: rule });
    const id = await running.createSession({ policy_mode: "planner" });
    await request(`/sessions/${id}/commands`, {
      method: "POST",
      json: { type: "set_policy_mode", mode: "implementation" },
    });
    const socket = await openSocket(`${url}/sessions/${id}/ws`);
    socket.send({ id: 1, command: { type: "set_policy_mode", mode: "planner" } });
    const secret = "words of a conversation";
    await request(`/sessions/${id}/message`, { method: "POST", json: { message: secret } });
    await expect
      .poll(() => actionsOf(running))
      .toEqual([
        "POST /login: accepted",
        "POST /login/{code}: accepted",
        "POST /login/{code}: 401",
        "POST /policy/rules: accepted",
        "POST /sessions: accepted",
        "set_policy_mode: accepted",
        "set_policy_mode: accepted",
      ]);
    const { entries, problem } = await auditOf(running);
    expect(problem).toBeUndefined();
    expect(entries[3]).toMatchObject({
      principal: "local",
      address: "203.0.113.7",
      details: { kind: "argv", argv: ["make"] },
    });
    expect(entries.at(-1)).toMatchObject({ session_id: id, details: { mode: "planner" } });
    const text = await readFile(join(directory, "audit.jsonl"), "utf8");
    for (const hidden of [secret, testToken, path.split("/").at(-1)]) {
      expect(text).not.toContain(hidden);
    }
  });

  test("shows a line that was taken out, and pages by position", async () => {
    const running = await startAudited();
    for (const name of ["one", "two", "three"]) {
      const json = { kind: "argv", argv: [name], verdict: "allow" };
      await running.request("/policy/rules", { method: "POST", json });
    }
    await expect.poll(async () => (await auditOf(running)).entries.length).toBe(3);
    const page: AuditPage = await (await running.request("/audit?after=1&limit=1")).json();
    expect(page).toMatchObject({ entries: [{ seq: 2 }], has_more: true });
    const path = join(directory, "audit.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, lines.toSpliced(1, 1).join("\n"));
    expect((await auditOf(running)).problem).toContain("Before entry 3");
  });

  test("is for admins, and unknown where none is kept", async () => {
    const { request } = await startServer();
    expect((await request("/audit")).status).toBe(404);
    const authorize = () => ({ id: "ann", isAdmin: false });
    const running = await startAudited({ auth: { type: "authorize", authorize } });
    expect((await running.request("/audit")).status).toBe(403);
  });
});
