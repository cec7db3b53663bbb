import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { openSqliteStore } from "@turnwire/log";
import { temporaryDirectory } from "../../../runtime/src/test-support/child.ts";
import { projectsDirectory } from "../transcript/transcript-file.ts";
import { remembered, testSessionLife } from "../../../runtime/src/test-support/session-life.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { killAgents, livingAgents, useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost, spoken } from "../test-support/claude-session.ts";

const place = useClaudePlace();

testSessionLife({
  place,
  createRuntime: () => place.createRuntime(),
  openHost: (options) => openClaudeHost(place, {}, options),
  livingAgents,
  killAgents,
  lostSession: "11111111-1111-4111-8111-111111111111",
  hasOwnProcess: true,
  isHeldAcrossRuntimes: false,
});

type HostParts = Parameters<typeof openClaudeHost>;

function openHost(runtime: HostParts[1] = {}, options: HostParts[2] = {}): SessionHost {
  const host = openClaudeHost(place, runtime, options);
  onTestFinished(() => host.close());
  return host;
}

test("a session continues after its process was killed while idle", async () => {
  const own = await ClaudeSession.create(openHost());
  await own.turn("SCENARIO:text first");
  await killAgents();
  await own.until("session_updated", ({ data }) => data.status === "hibernated");
  await own.turn("SCENARIO:text second");
  expect(remembered(place.standin)).toEqual(["first", "second"]);
});

/** The record that the CLI keeps of a session, wherever it is. */
async function recordOf(own: ClaudeSession): Promise<string> {
  const projects = projectsDirectory({ env: place.env });
  const names = await readdir(projects, { recursive: true });
  const name = names.find((path) => path.endsWith(`${own.providerSessionId}.jsonl`));
  return join(projects, name ?? "none");
}

test("a session whose record the CLI has deleted continues, because the store has it too", async () => {
  const directory = await temporaryDirectory();
  const store = await openSqliteStore({ path: join(directory, "turnwire.db") });
  onTestFinished(() => store.close());
  const own = await ClaudeSession.create(openHost({}, { store }));
  await own.turn("SCENARIO:text first");
  const id = own.providerSessionId;
  await own.session.hibernate();
  await rm(await recordOf(own));
  const events = await own.turn("SCENARIO:text second");
  expect(remembered(place.standin)).toEqual(["first", "second"]);
  expect(own.providerSessionId).toBe(id);
  expect(events.some(({ type }) => type === "notice")).toBe(false);
  const rolledBack = events[0]?.turn_id ?? "";
  await own.session.hibernate();
  await rm(await recordOf(own));
  await own.execute({ type: "rollback", turn_id: rolledBack });
  await own.turn("SCENARIO:text third");
  expect(remembered(place.standin)).toEqual(["first", "third"]);
});

test("the CLI has the setting that keeps conversations that were not used for long", async () => {
  const own = await ClaudeSession.create(openHost());
  await own.session.wake();
  const [pid] = await livingAgents();
  expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).toContain('"cleanupPeriodDays":36500');
});

test("a rollback restores files where that is wanted, and else leaves them alone", async () => {
  const own = await ClaudeSession.create(openHost(), { permission_mode: "acceptEdits" });
  const write = async (name: string) => {
    const file = join(place.cwd, name);
    const turnId = await own.say(`SCENARIO:write ${file}`);
    await own.ended(turnId);
    expect(existsSync(file)).toBe(true);
    return { file, turnId };
  };
  const kept = await write("kept.txt");
  await own.execute({ type: "rollback", turn_id: kept.turnId });
  expect(existsSync(kept.file)).toBe(true);
  await own.turn("SCENARIO:text first");
  const restored = await write("restored.txt");
  await own.execute({ type: "rollback", turn_id: restored.turnId, files: true });
  const { data } = await own.until(
    "rolled_back",
    (event) => event.data.files_restored !== undefined,
  );
  expect(data.files_restored).toEqual([restored.file]);
  expect(existsSync(restored.file)).toBe(false);
});

test("a process that waits ready serves a new session, with its own prompt and mode", async () => {
  const host = openHost({ warmProcesses: 1 });
  const first = await ClaudeSession.create(host);
  await first.turn("SCENARIO:text first");
  await first.session.hibernate();
  await expect.poll(livingAgents).toHaveLength(1);
  const [spare] = await livingAgents();
  const second = await ClaudeSession.create(host, {
    system_prompt: "Speak like a pirate.",
    permission_mode: "acceptEdits",
  });
  const turnId = await second.say("SCENARIO:hold warm");
  await place.standin.reached("warm");
  expect(await livingAgents()).toEqual([spare]);
  expect(JSON.stringify(place.standin.requests.at(-1)?.body)).toContain("Speak like a pirate.");
  place.standin.release("warm");
  await second.ended(turnId);
  const events = await second.turn("SCENARIO:write warm.txt");
  expect(events.some(({ type }) => type === "permission_request")).toBe(false);
});

test("a hook waits for a person, who may forbid what it is about", async () => {
  const own = await ClaudeSession.create(openHost({ hookEvents: ["PreToolUse"] }));
  const turnId = await own.say("SCENARIO:tool echo hi");
  const { data } = await own.until("hook_request");
  expect(data.hook_event).toBe("PreToolUse");
  await own.execute({
    type: "hook_response",
    correlation_id: data.correlation_id,
    decision: {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "the hook says no",
      },
    },
  });
  expect(spoken(await own.ended(turnId))).toContain("the hook says no");
});

describe("bypassPermissions", () => {
  test.skipIf(process.getuid?.() !== 0)("is refused to root with the way out", async () => {
    const options = { sessionId: "root", cwd: place.cwd, permissionMode: "bypassPermissions" };
    const runtime = place.createRuntime();
    await expect(runtime.createRun(options)).rejects.toThrow("set IS_SANDBOX=1 in a sandbox");
    expect(runtime.capabilities.permission_modes).not.toContain("bypassPermissions");
    const creation = { permission_mode: "bypassPermissions" };
    const error = { code: "forbidden", message: expect.stringContaining("IS_SANDBOX=1") };
    expect(await openHost().create(creation, admin)).toMatchObject({ ok: false, error });
  });

  test("can be switched on in a session that began without it, and off again, without a warning of the SDK", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const env = { ...place.env, IS_SANDBOX: "1" };
    const own = await ClaudeSession.create(openHost({ env }));
    await own.turn("SCENARIO:text first");
    await own.execute({ type: "set_permission_mode", mode: "bypassPermissions" });
    const events = await own.turn("SCENARIO:tool touch unasked.txt");
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
    expect(existsSync(join(place.cwd, "unasked.txt"))).toBe(true);
    await own.execute({ type: "set_permission_mode", mode: "default" });
    const turnId = await own.say("SCENARIO:tool touch asked.txt");
    await own.decide(turnId, { behavior: "deny" });
    expect(existsSync(join(place.cwd, "asked.txt"))).toBe(false);
    expect(remembered(place.standin)).toEqual(["first"]);
    expect(warnings.filter(({ message }) => message.includes("canUseTool"))).toEqual([]);
  });
});
