import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { TrustInfo } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { claudeConfiguration } from "../../../../runtime-claude/src/sdk/configuration.ts";
import { demo } from "@turnwire/runtime/demo";
import { startServer } from "../test-support/running-server.ts";

const runtime = { ...demo({ delayMs: 0 }), configuration: claudeConfiguration({}) };

async function start() {
  const running = await startServer({ hostOptions: { runtimes: [runtime] } });
  const { projects } = await running.host.projects.list({ id: "a", isAdmin: true });
  const path = projects[0]?.path ?? "";
  writeFileSync(join(path, "CLAUDE.md"), "Be brief.");
  const at = (directory: string): string => `/trust?path=${encodeURIComponent(directory)}`;
  return { ...running, path, at };
}

describe("the trust of a directory over HTTP", () => {
  test("is shown, given with the digest that was shown, listed and taken back", async () => {
    const { request, path, at } = await start();
    const shown = TrustInfo.parse(await (await request(at(path))).json());
    expect(shown).toMatchObject({ path, status: "untrusted", is_truncated: false });
    const put = { method: "PUT", json: { path, digest: shown.digest } };
    expect(await (await request("/trust", put)).json()).toMatchObject({ status: "trusted" });
    const list = await (await request("/trust/directories")).json();
    expect(list).toMatchObject({ directories: [{ path }] });
    expect((await request(at(path), { method: "DELETE" })).status).toBe(204);
    expect((await request(at(path), { method: "DELETE" })).status).toBe(404);
    expect(await (await request(at(path))).json()).toMatchObject({ status: "untrusted" });
  });

  test("is refused with another digest", async () => {
    const { request, path } = await start();
    const answer = await request("/trust", { method: "PUT", json: { path, digest: "old" } });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: "trust_changed" } });
  });

  test("is for directories in the server's roots", async () => {
    const { request, at } = await start();
    const answer = await request(at("/etc"));
    expect(answer.status).toBe(403);
    expect((await request(at("relative"))).status).toBe(400);
    expect((await request("/trust")).status).toBe(400);
  });

  test("reaches sessions that are open: the log says what is in force", async () => {
    const { request, path, at, createSession, session } = await start();
    const open = await session(await createSession({ cwd: path }));
    expect(open.control.session.configuration).toMatchObject({ trust: "untrusted" });
    const { digest } = TrustInfo.parse(await (await request(at(path))).json());
    await request("/trust", { method: "PUT", json: { path, digest } });
    await expect
      .poll(() => open.control.session.configuration)
      .toMatchObject({ trust: "trusted", instructions: ["CLAUDE.md"] });
  });
});
