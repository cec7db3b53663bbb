import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPolicy, parsePolicy, type Policy } from "@turnwire/policy";
import { type Control, draft, initialControl } from "@turnwire/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { controlAfter, everyCapability, messageOf } from "../test-support/control.ts";
import { builtInPolicy } from "./policy-source.ts";
import { strictest } from "@turnwire/runtime";
import { EvaluationLimit } from "../evaluation/evaluator.ts";
import { SessionGate } from "./session-gate.ts";

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-gate-")));
});
afterEach(() => rmSync(directory, { recursive: true }));

function ready(mode?: string) {
  return draft("session_ready", {
    session_id: "s",
    protocol_version: "1.0",
    runtime: "scripted",
    capabilities: everyCapability,
    cwd: directory,
    ...(mode !== undefined && { policy_mode: mode }),
  });
}

function gateFor(control: Control, source = builtInPolicy()) {
  return new SessionGate({ source, control: () => control, id: "s" });
}

const bash = (command: string) => ({ tool: "Bash", input: { command }, toolUseId: "x" });

describe("the gate of a session", () => {
  test("decides nothing where the session has no policy mode", async () => {
    const gate = gateFor(controlAfter(ready()));
    expect(await gate.judge(bash("rm -rf /"))).toBeUndefined();
    expect(gate.sandbox).toBeUndefined();
    expect(gate.maxTurns).toBeUndefined();
  });

  test("states verdict, rule, reason, mode and version of the policy", async () => {
    const gate = gateFor(controlAfter(ready("planner")));
    const { version } = defaultPolicy();
    expect(await gate.judge(bash("git push origin main"))).toMatchObject({
      tool: "Bash",
      tool_use_id: "x",
      verdict: "deny",
      rule: "git_remote",
      mode: "planner",
      policy_version: version,
      reason: expect.stringContaining("git push"),
      subject: expect.stringContaining("git push"),
    });
    expect(await gate.judge(bash("ls"))).toMatchObject({
      verdict: "allow",
      policy_version: version,
    });
    expect(await gate.judge(bash("make all"))).toMatchObject({ verdict: "ask" });
  });

  test("states how an allowed command runs, and plays by the closed list where it is not contained", async () => {
    const gate = gateFor(controlAfter(ready("implementation")));
    const judged = (command: string, isContained = true) =>
      gate.judge({ ...bash(command), isContained });
    expect(await judged("npm test")).toMatchObject({
      verdict: "allow",
      containment: "without_network",
    });
    expect(await judged("npm ci")).toMatchObject({ verdict: "allow", containment: "with_network" });
    expect(await judged("curl -s http://localhost:3000")).toMatchObject({
      containment: "with_network",
    });
    expect(await judged("./build.sh")).toMatchObject({ verdict: "ask", containment: "none" });
    expect(await judged("for f in *; do wc $f; done", false)).toMatchObject({ verdict: "ask" });
    expect(await gate.judge({ tool: "Read", input: { file_path: "a" } })).not.toHaveProperty(
      "containment",
    );
  });

  test("needs of the kernel what the mode promises, and nothing where the mode allows everything", () => {
    writeFileSync(join(directory, ".env.local"), "");
    const { confinement } = gateFor(controlAfter(ready("planner")));
    expect(confinement).toMatchObject({ writes: "nothing", reads: "inside", roots: [directory] });
    const inside = (name: string) => join(directory, "deep", name);
    expect(confinement?.secretPaths).toContain("/etc/shadow");
    expect(
      [".env", ".env.local", "key.pem"].map((name) => confinement?.isSecret(inside(name))),
    ).toEqual([true, true, true]);
    expect([".env.example", "a.txt"].map((name) => confinement?.isSecret(inside(name)))).toEqual([
      false,
      false,
    ]);
    const writer = gateFor(controlAfter(ready("implementation"))).confinement;
    expect(writer).toMatchObject({ writes: "inside" });
    expect([".mcp.json", "a.txt"].map((name) => writer?.isFixed(inside(name)))).toEqual([
      true,
      false,
    ]);
    expect(gateFor(controlAfter(ready("unrestricted"))).confinement).toBeUndefined();
    expect(gateFor(controlAfter(ready())).confinement).toBeUndefined();
  });

  test("takes the whole worktree of a session as its own, also when it works in a part of it", async () => {
    const part = join(directory, "packages/app");
    mkdirSync(part, { recursive: true });
    const worktree = {
      branch: "turnwire/x",
      base: "main",
      base_commit: "0".repeat(40),
      path: directory,
      repository: "/code/shop",
    };
    const { data } = ready("implementation");
    const inPart = { ...data, cwd: part };
    const write = { tool: "Write", input: { file_path: join(directory, "a.txt"), content: "" } };
    const alone = gateFor(controlAfter(draft("session_ready", inPart)));
    expect((await alone.judge(write))?.verdict).not.toBe("allow");
    const own = gateFor(controlAfter(draft("session_ready", { ...inPart, worktree })));
    expect(await own.judge(write)).toMatchObject({ verdict: "allow" });
  });

  test("knows the session's directory by its real path", async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-outside-")));
    mkdirSync(join(directory, "src"));
    writeFileSync(join(directory, "src/a.ts"), "");
    symlinkSync(outside, join(directory, "link"));
    const gate = gateFor(controlAfter(ready("implementation")));
    const write = (path: string) => gate.judge({ tool: "Write", input: { file_path: path } });
    expect((await write(join(directory, "src/a.ts")))?.verdict).toBe("allow");
    expect((await write(join(directory, "link/a.ts")))?.verdict).not.toBe("allow");
    expect((await write(join(directory, ".git/config")))?.verdict).toBe("deny");
    rmSync(outside, { recursive: true });
  });

  test("turns what would be asked into a refusal that says why, in an unattended turn only", async () => {
    const message = draft("user_message", {
      message_id: "m1",
      content: [{ type: "text", text: "nightly" }],
      delivery: "turn",
      is_unattended: true,
    });
    const start = draft("turn_started", { turn_id: "t1", message_id: "m1" }, { turn_id: "t1" });
    const unattended = gateFor(controlAfter(ready("planner"), message, start));
    expect(await unattended.judge(bash("make all"))).toMatchObject({
      verdict: "deny",
      is_unattended: true,
      reason: expect.stringContaining("unattended"),
    });
    expect(await unattended.judge(bash("ls"))).toMatchObject({ verdict: "allow" });
    expect(await unattended.judge(bash("git push"))).not.toHaveProperty("is_unattended");
    const next = draft("done", { turn_id: "t1" }, { turn_id: "t1" });
    const later = gateFor(
      controlAfter(
        ready("planner"),
        message,
        start,
        next,
        messageOf("m2"),
        draft("turn_started", { turn_id: "t2", message_id: "m2" }, { turn_id: "t2" }),
      ),
    );
    expect(await later.judge(bash("make all"))).toMatchObject({ verdict: "ask" });
  });

  test("applies another mode and another policy to the very next call", async () => {
    let control = controlAfter(ready("implementation"));
    let policy: Policy = defaultPolicy();
    const source = { current: () => ({ policy }) };
    const gate = new SessionGate({ source, control: () => control, id: "s" });
    const verdict = async () => (await gate.judge(bash("git commit -m x")))?.verdict;
    expect([await verdict(), gate.sandbox, gate.maxTurns]).toEqual(["allow", "write_inside", 100]);
    control = controlAfter(
      ready("implementation"),
      draft("session_updated", { policy_mode: "planner" }),
    );
    expect([await verdict(), gate.sandbox, gate.maxTurns]).toEqual(["deny", "read_only", 30]);
    policy = parsePolicy({ version: 1, modes: { planner: { actions: { git_change: "allow" } } } });
    expect((await gate.judge(bash("git status")))?.policy_version).toBe(policy.version);
    control = controlAfter(ready("unrestricted"));
    expect([await verdict(), gate.sandbox, gate.maxTurns]).toEqual(["allow", "off", undefined]);
    control = controlAfter(ready("planner"), draft("session_updated", { policy_mode: null }));
    expect(await verdict()).toBeUndefined();
  });

  test("allows nothing in a mode that is gone, and lets no agent start in it", async () => {
    const gate = gateFor(controlAfter(ready("reviewer")));
    expect(await gate.judge(bash("ls"))).toMatchObject({ verdict: "deny", rule: "unknown-mode" });
    expect(gate.sandbox).toBe("read_only");
    await expect(gate.prepare()).rejects.toThrow(/no mode reviewer/);
  });

  test("denies what it fails to judge, and never throws", async () => {
    const source = {
      current: () => {
        throw new Error("the policy is unreadable");
      },
    };
    const gate = gateFor(controlAfter(ready("planner")), source);
    expect(await gate.judge(bash("ls"))).toMatchObject({ verdict: "deny", rule: "failure" });
    const hostile = gateFor(controlAfter(ready("planner")));
    for (const input of [null, undefined, [], 7, { command: 7 }, { command: "a".repeat(2e6) }]) {
      expect((await hostile.judge({ tool: "Bash", input }))?.verdict).not.toBe("allow");
    }
    expect((await hostile.judge({ tool: "", input: {} }))?.verdict).toBe("ask");
  });

  test("does what the mode says of what takes too long to judge, and unattended asks no one", async () => {
    const evaluator = { judge: () => Promise.reject(new EvaluationLimit(5000)) };
    const source = builtInPolicy();
    const verdictIn = async (control: Control) =>
      new SessionGate({ source, control: () => control, id: "s", evaluator }).judge(bash("ls"));
    expect(await verdictIn(controlAfter(ready("planner")))).toMatchObject({
      verdict: "deny",
      rule: "limit",
      reason: "it cannot be judged: it takes longer than 5 s or too much memory",
    });
    expect(await verdictIn(controlAfter(ready("unrestricted")))).toMatchObject({
      verdict: "allow",
    });
  });

  test("has no place before the session is ready", async () => {
    expect(await gateFor(initialControl()).judge(bash("ls"))).toBeUndefined();
  });
});

test("of several decisions the strictest counts", async () => {
  const gate = gateFor(controlAfter(ready("planner")));
  const judged = await Promise.all(
    ["ls", "make", "git push", "git fetch"].map((command) => gate.judge(bash(command))),
  );
  expect(strictest(judged)).toBe(judged[2]);
  expect(strictest([undefined])).toBeUndefined();
});
