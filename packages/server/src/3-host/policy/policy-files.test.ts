import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { evaluateCommand } from "@turnwire/policy";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { TrustedDirectories, createMemoryTrust } from "@turnwire/workspace";
import { Policies } from "./policies.ts";
import { PolicyFiles, type PolicyReport } from "./policy-files.ts";

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-policy-")));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const admin = { id: "ann", isAdmin: true };

function modesOf(modes: object): string {
  return JSON.stringify({ version: 1, modes });
}

function setUp({ configured }: { configured?: unknown } = {}) {
  const path = join(directory, "policy.json");
  const project = join(directory, "app");
  // Whatever is above is not part of it.
  mkdirSync(join(project, ".git"), { recursive: true });
  const clock = new ManualClock();
  const reports: PolicyReport[] = [];
  const trust = new TrustedDirectories({ store: createMemoryTrust(), runtimes: [], clock });
  const open = () => {
    const source = new PolicyFiles({
      path,
      ...(configured !== undefined && {
        configured: { path: "the configuration", data: configured },
      }),
      clock,
      onReport: (report) => reports.push(report),
    });
    onTestFinished(() => source.close());
    return new Policies({ policy: source, clock, assess: (cwd) => trust.assess(cwd) });
  };
  const verdict = (policies: Policies, command: string, mode: string, cwd = project) => {
    const { policy } = policies.current(cwd);
    if (!policy.modes.has(mode)) return "no mode";
    const facts = { cwd, roots: [cwd], realPath: () => undefined };
    return evaluateCommand(command, { policy, mode, facts }).verdict;
  };
  const projectFile = join(project, ".turnwire", "policy.json");
  const writeProject = (text: string) => {
    mkdirSync(dirname(projectFile), { recursive: true });
    writeFileSync(projectFile, text);
  };
  const trustProject = async () => {
    const { digest } = await trust.get(project);
    const trusted = await trust.set(project, digest);
    expect(trusted).toMatchObject({ ok: true });
    // The next trust is another one.
    await clock.advance(1000);
  };
  return {
    path,
    project,
    clock,
    reports,
    trust,
    open,
    verdict,
    projectFile,
    writeProject,
    trustProject,
  };
}

const tester = { extends: "planner", description: "Tests.", actions: { project_code: "allow" } };

describe("the server's own policy file", () => {
  test("adds modes and changes those that are built in, from the next question on", async () => {
    const { path, open, verdict } = setUp();
    const policies = open();
    let changes = 0;
    policies.subscribe(() => {
      changes += 1;
    });
    expect(verdict(policies, "npm test", "tester")).toBe("no mode");
    const before = policies.current(directory).policy.version;
    writeFileSync(path, modesOf({ tester, planner: { network: { hosts: ["example.com"] } } }));
    expect(verdict(policies, "npm test", "tester")).toBe("allow");
    expect(verdict(policies, "curl https://example.com", "planner")).toBe("allow");
    expect(policies.current(directory).policy.version).not.toBe(before);
    expect(changes).toBeGreaterThan(0);
    const info = await policies.describe(undefined, admin);
    expect(info.files).toEqual([{ path, level: "user", status: "loaded" }]);
    expect(info.modes.map(({ name, level }) => [name, level])).toEqual([
      ["planner", "user"],
      ["implementation", "built_in"],
      ["unrestricted", "built_in"],
      ["tester", "user"],
    ]);
    rmSync(path);
    expect(verdict(policies, "npm test", "tester")).toBe("no mode");
    expect(policies.current(directory).policy.version).toBe(before);
  });

  test("that breaks while it is in use keeps what it said before, and is reported until it is mended", async () => {
    const { path, open, verdict, reports } = setUp();
    writeFileSync(path, modesOf({ tester }));
    const policies = open();
    for (const text of [
      "{",
      "",
      modesOf({ tester: { ...tester, actions: { fly: "allow" } } }),
      modesOf({ tester: { extends: "nothing" } }),
      '"text"',
    ]) {
      writeFileSync(path, text);
      expect(verdict(policies, "npm test", "tester")).toBe("allow");
      const { files } = await policies.describe(undefined, admin);
      expect(files).toMatchObject([{ path, status: "broken", has_earlier: true }]);
      expect(files[0]?.problems).not.toEqual([]);
      expect(reports.at(-1)).toMatchObject({
        level: "error",
        message: expect.stringContaining(`${path} is not in force`),
      });
    }
    writeFileSync(path, modesOf({ tester: { ...tester, actions: { project_code: "deny" } } }));
    expect(verdict(policies, "npm test", "tester")).toBe("deny");
    expect(reports.at(-1)).toEqual({
      level: "info",
      message: `The policy ${path} is in order again.`,
    });
    expect((await policies.describe(undefined, admin)).files).toMatchObject([{ status: "loaded" }]);
  });

  test("that is broken at the start leaves the built-in modes, and refuses those it says something of", async () => {
    const { path, open, verdict } = setUp();
    writeFileSync(path, modesOf({ tester, implementation: { actions: { fly: "deny" } } }));
    const policies = open();
    expect(verdict(policies, "ls", "planner")).toBe("allow");
    expect(verdict(policies, "ls", "tester")).toBe("no mode");
    // Without the file it would be looser than its author wants.
    expect(verdict(policies, "ls", "implementation")).toBe("no mode");
    const { modes, files } = await policies.describe(undefined, admin);
    expect(files).toMatchObject([{ status: "broken", has_earlier: false }]);
    const problems = modes.filter(({ problem }) => problem !== undefined);
    expect(problems.map(({ name }) => name).toSorted()).toEqual(["implementation", "tester"]);
    expect(problems[0]?.problem).toContain("modes.implementation.actions");
    writeFileSync(path, modesOf({ tester }));
    expect(verdict(policies, "npm test", "tester")).toBe("allow");
    expect(verdict(policies, "ls", "implementation")).toBe("allow");
  });

  test("that is not even JSON refuses the modes that it seems to say something of", () => {
    const { path, open, verdict } = setUp();
    writeFileSync(
      path,
      '{"version": 1, "modes": {"tester": {"extends": "planner"}, "implementation" : {',
    );
    const policies = open();
    expect(verdict(policies, "ls", "planner")).toBe("allow");
    expect(verdict(policies, "ls", "implementation")).toBe("no mode");
    expect(policies.current(directory).policy.problems).toEqual([
      expect.stringContaining("it is not JSON"),
    ]);
  });

  test("that cannot be read at the start refuses every mode, as it may say something of any", () => {
    const { path, open, verdict } = setUp();
    mkdirSync(path);
    const policies = open();
    expect(verdict(policies, "ls", "planner")).toBe("no mode");
    rmSync(path, { recursive: true });
    expect(verdict(policies, "ls", "planner")).toBe("allow");
  });

  test("that is too large is broken, and never read whole", () => {
    const { path, open } = setUp();
    writeFileSync(path, `${" ".repeat(1024 * 1024)}{}`);
    expect(open().current(directory).policy.problems).toEqual([
      expect.stringContaining("larger than 1024 KiB"),
    ]);
  });

  test("is looked at without being asked, so that a problem is in the log at once", async () => {
    const { path, open, clock, reports } = setUp();
    open();
    writeFileSync(path, "{");
    await clock.advance(2000);
    expect(reports).toMatchObject([{ level: "error" }]);
    await clock.advance(2000);
    expect(reports).toHaveLength(1);
  });

  test("is put on top of what the configuration says", () => {
    const { path, open, verdict } = setUp({ configured: { version: 1, modes: { tester } } });
    writeFileSync(path, modesOf({ reviewer: { extends: "tester", actions: { secret: "deny" } } }));
    const policies = open();
    expect(verdict(policies, "npm test", "tester")).toBe("allow");
    expect(verdict(policies, "npm test", "reviewer")).toBe("allow");
    expect(verdict(policies, "printenv", "reviewer")).toBe("deny");
  });
});

describe("a project's policy file", () => {
  test("has no effect before the project is trusted, and then only there", async () => {
    const { open, verdict, project, projectFile, writeProject, trustProject } = setUp();
    writeProject(
      modesOf({ tester, planner: { other_tools: "deny", actions: { secret: "deny" } } }),
    );
    const policies = open();
    await policies.prepare(project);
    expect(verdict(policies, "npm test", "tester")).toBe("no mode");
    expect(verdict(policies, "printenv", "planner")).toBe("ask");
    const untrusted = await policies.describe(project, admin);
    expect(untrusted.files).toMatchObject([
      { path: projectFile, level: "project", status: "untrusted", has_earlier: false },
    ]);
    expect(untrusted.modes.find(({ name }) => name === "tester")?.problem).toContain(
      `turnwire trust ${project}`,
    );
    await trustProject();
    await policies.trustChanged(project);
    expect(verdict(policies, "npm test", "tester")).toBe("allow");
    expect(verdict(policies, "printenv", "planner")).toBe("deny");
    expect(verdict(policies, "npm test", "tester", directory)).toBe("no mode");
    const { files, modes } = await policies.describe(project, admin);
    expect(files).toEqual([{ path: projectFile, level: "project", status: "loaded" }]);
    expect(modes.find(({ name }) => name === "tester")).toMatchObject({ level: "project" });
  });

  test("that changes after it was trusted stays in force as it was, until it is trusted again", async () => {
    const { open, verdict, project, projectFile, writeProject, trustProject } = setUp();
    writeProject(modesOf({ tester, planner: { actions: { secret: "deny" } } }));
    await trustProject();
    const policies = open();
    await policies.prepare(project);
    for (const change of [
      () => writeProject(modesOf({ tester: { extends: "unrestricted" } })),
      () => writeProject("{"),
      () => rmSync(projectFile),
      () => symlinkSync("/etc/passwd", projectFile),
    ]) {
      change();
      await policies.prepare(project);
      expect(verdict(policies, "npm test", "tester")).toBe("allow");
      expect(verdict(policies, "rm x", "tester")).toBe("deny");
      expect(verdict(policies, "printenv", "planner")).toBe("deny");
      expect((await policies.describe(project, admin)).files).toMatchObject([
        { path: projectFile, has_earlier: true },
      ]);
    }
    rmSync(projectFile);
    writeProject(modesOf({ tester: { extends: "unrestricted" } }));
    await trustProject();
    await policies.trustChanged(project);
    expect(verdict(policies, "rm x", "tester")).toBe("allow");
    expect(verdict(policies, "printenv", "planner")).toBe("ask");
  });

  test("that had changed when the server started refuses the modes that it says something of", async () => {
    const { open, verdict, project, writeProject, trustProject } = setUp();
    writeProject(modesOf({ planner: { actions: { secret: "deny" } } }));
    await trustProject();
    writeProject(modesOf({ planner: { actions: { secret: "ask" } }, tester }));
    const policies = open();
    await policies.prepare(project);
    expect(verdict(policies, "ls", "planner")).toBe("no mode");
    expect(verdict(policies, "ls", "tester")).toBe("no mode");
    expect(verdict(policies, "ls", "implementation")).toBe("allow");
    expect(verdict(policies, "ls", "planner", directory)).toBe("allow");
  });

  test("is out of force when the trust is removed", async () => {
    const { open, verdict, project, writeProject, trustProject, trust } = setUp();
    writeProject(modesOf({ tester }));
    await trustProject();
    const policies = open();
    await policies.prepare(project);
    expect(verdict(policies, "npm test", "tester")).toBe("allow");
    await trust.remove(project);
    await policies.trustChanged(project);
    expect(verdict(policies, "npm test", "tester")).toBe("no mode");
  });

  test("can make a mode stricter, never looser", async () => {
    const { open, verdict, project, writeProject, trustProject } = setUp();
    writeProject(modesOf({ implementation: { actions: { discard: "allow" } }, tester }));
    await trustProject();
    const policies = open();
    await policies.prepare(project);
    expect(verdict(policies, "git reset --hard", "implementation")).toBe("no mode");
    const { files } = await policies.describe(project, admin);
    expect(files).toMatchObject([
      {
        status: "broken",
        problems: [expect.stringContaining("can only make this mode stricter")],
      },
    ]);
  });

  test.each([
    [
      "an argv rule that allows",
      { argv: [{ id: "a", argv: ["rm"], verdict: "allow", reason: "x" }] },
    ],
    ["a host", { network: { hosts: ["example.com"] } }],
    ["more turns", { max_turns: 31 }],
    ["a tool", { tools: [{ id: "a", tools: ["mcp__*"], verdict: "allow", reason: "x" }] }],
  ])("cannot give a mode %s", async (_, planner) => {
    const { open, verdict, project, writeProject, trustProject } = setUp();
    writeProject(modesOf({ planner }));
    await trustProject();
    const policies = open();
    await policies.prepare(project);
    expect(verdict(policies, "ls", "planner")).toBe("no mode");
  });

  test("is put on top of the server's own, whose changes reach it", async () => {
    const { open, verdict, path, project, writeProject, trustProject } = setUp();
    writeFileSync(path, modesOf({ tester }));
    writeProject(modesOf({ strict: { extends: "tester", actions: { secret: "deny" } } }));
    await trustProject();
    const policies = open();
    await policies.prepare(project);
    expect(verdict(policies, "npm test", "strict")).toBe("allow");
    writeFileSync(path, modesOf({ tester: { ...tester, actions: { project_code: "deny" } } }));
    expect(verdict(policies, "npm test", "strict")).toBe("deny");
    rmSync(path);
    expect(verdict(policies, "npm test", "strict")).toBe("no mode");
    expect((await policies.describe(project, admin)).files).toMatchObject([
      { status: "broken", problems: [expect.stringContaining('no mode "tester" to extend')] },
    ]);
    writeFileSync(path, modesOf({ tester }));
    expect(verdict(policies, "npm test", "strict")).toBe("allow");
  });

  test("is looked for up to the root of the repository, the outermost first", async () => {
    const { open, verdict, project, writeProject, trust, clock } = setUp();
    writeProject(modesOf({ tester }));
    const inner = join(project, "packages", "a");
    mkdirSync(join(inner, ".turnwire"), { recursive: true });
    writeFileSync(
      join(inner, ".turnwire", "policy.json"),
      modesOf({ tester: { actions: { secret: "deny" } } }),
    );
    const { digest } = await trust.get(inner);
    await trust.set(inner, digest);
    await clock.advance(1000);
    const policies = open();
    await policies.prepare(inner);
    expect(verdict(policies, "npm test", "tester", inner)).toBe("allow");
    expect(verdict(policies, "printenv", "tester", inner)).toBe("deny");
  });

  test("is not read where it is a link that leads out of the project", async () => {
    const { open, verdict, project, projectFile, trust } = setUp();
    const outside = join(directory, "outside.json");
    writeFileSync(outside, modesOf({ tester }));
    mkdirSync(dirname(projectFile), { recursive: true });
    symlinkSync(outside, projectFile);
    const { digest } = await trust.get(project);
    expect(await trust.set(project, digest)).toMatchObject({ ok: false });
    const policies = open();
    await policies.prepare(project);
    expect(verdict(policies, "npm test", "tester")).toBe("no mode");
    expect(verdict(policies, "ls", "planner")).toBe("allow");
  });
});
