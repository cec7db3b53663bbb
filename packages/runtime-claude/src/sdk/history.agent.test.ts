import { checkGrammar } from "@turnwire/protocol";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PastSessions } from "../../../server/src/3-host/history.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { claudeHistory } from "./history.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace();

describe("the history of Claude", () => {
  test("is empty where the CLI was never used", async () => {
    const used = process.env["CLAUDE_CONFIG_DIR"];
    onTestFinished(() => void vi.stubEnv("CLAUDE_CONFIG_DIR", used));
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(place.cwd, "nowhere"));
    expect(await claudeHistory({}).list()).toEqual([]);
    expect(await claudeHistory({}).read("11111111-1111-4111-8111-111111111111")).toBeUndefined();
  });

  test("refuses a text that is not an id, before it could be a path", async () => {
    await expect(claudeHistory({}).read("../../etc/passwd")).rejects.toThrow(
      "is not a Claude session id",
    );
  });

  test("becomes a session with the whole conversation, which the agent continues", async () => {
    const earlier = openClaudeHost(place);
    const first = await ClaudeSession.create(earlier);
    await first.turn("SCENARIO:text first");
    await first.turn("SCENARIO:tool echo by-a-tool");
    const provider_session_id = first.providerSessionId ?? "";
    await earlier.close();

    const host = openClaudeHost(place);
    onTestFinished(() => host.close());
    const [past] = await new PastSessions(host).list(admin);
    expect(first.session.info().resume_command).toBe(past?.resume_command);
    expect(past).toMatchObject({
      runtime: "claude",
      provider_session_id,
      cwd: place.cwd,
      resume_command: `cd ${place.cwd} && claude --resume ${provider_session_id}`,
    });
    const imported = await new PastSessions(host).import(
      { runtime: "claude", provider_session_id },
      admin,
    );
    const own = await ClaudeSession.open(host, imported.ok ? imported.value.info.session_id : "");
    const events = await own.events();
    expect(checkGrammar(events)).toEqual([]);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(2);
    expect(JSON.stringify(events.filter(({ type }) => type === "tool_result"))).toContain(
      "by-a-tool",
    );
    await own.turn("SCENARIO:text third");
    const body = JSON.stringify(place.standin.requests.at(-1)?.body);
    expect(body).toContain("SCENARIO:text first");
    expect(own.providerSessionId).toBe(provider_session_id);
  });

  test("is for admins only", async () => {
    const host = openClaudeHost(place);
    onTestFinished(() => host.close());
    const somebody = { id: "somebody", isAdmin: false };
    expect(await new PastSessions(host).list(somebody)).toEqual([]);
    const past = { runtime: "claude", provider_session_id: "x" };
    expect(await new PastSessions(host).import(past, somebody)).toMatchObject({ ok: false });
  });
});
