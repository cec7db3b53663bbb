import { describe, expect, test } from "vitest";
import { assert, constantFrom, integer, oneof, property, string } from "fast-check";
import { type Evaluation, evaluateCommand } from "./evaluate.ts";
import type { Facts } from "./facts.ts";
import type { Containment } from "./judge.ts";
import { defaultPolicy } from "./policy.ts";
import { projectFacts } from "./test-support/project.ts";
import { createRandom, randomScript } from "./test-support/random-script.ts";
import { isStricter } from "./verdict.ts";

const policy = defaultPolicy();

function evaluate(
  command: string,
  mode = "planner",
  facts: Partial<Facts> = {},
  containment?: Containment,
): Evaluation {
  const context = { policy, mode, facts: { ...projectFacts, ...facts }, containment };
  return evaluateCommand(command, context);
}

/** The same for a command that the kernel will hold. */
function contained(command: string, mode?: string, facts?: Partial<Facts>): Evaluation {
  return evaluate(command, mode, facts, "kernel");
}

/** Scripts as the fuzz makes them, and any text. */
const anyScript = oneof(
  integer().map((seed) => randomScript(createRandom(seed))),
  string({ unit: "binary" }),
  string({ unit: "grapheme-ascii", maxLength: 200 }),
);

describe("an evaluation", () => {
  test("has the rule, the reason and the policy's version, and all that was found", () => {
    const { verdict, rule, reason, policy_version, judgements } = evaluate("ls; rm x | cat");
    expect({ verdict, rule, reason, policy_version }).toEqual({
      verdict: "deny",
      rule: "write.inside",
      reason: "rm x: it writes /work/app/x",
      policy_version: policy.version,
    });
    expect(judgements.map((judgement) => judgement.verdict)).toEqual(["allow", "deny", "allow"]);
  });

  test("turns ask into deny where no one can be asked, and says so", () => {
    const attended = evaluate("unknown-program");
    const unattended = evaluate("unknown-program", "planner", { isUnattended: true });
    expect([attended.verdict, unattended.verdict]).toEqual(["ask", "deny"]);
    expect(unattended.rule).toBe(attended.rule);
    expect(unattended.reason).toContain("no one can be asked");
    expect(evaluate("ls", "planner", { isUnattended: true }).verdict).toBe("allow");
  });

  test("judges real paths: a link that leads out of the roots, into a protected file, or nowhere", () => {
    expect(evaluate("touch outside/x", "implementation").rule).toBe("system-files");
    expect(evaluate("touch hooks/x", "implementation").rule).toBe("protected-files");
    expect(evaluate("touch again/x", "implementation").verdict).toBe("ask");
    expect(contained("touch again/x", "implementation").verdict).toBe("allow");
    expect(evaluate("touch loop/x", "implementation")).toMatchObject({
      verdict: "deny",
      rule: "write.unresolved",
    });
  });

  test("does not take a neighbour with the same start for the root", () => {
    expect(evaluate("touch /work/app-evil/x", "implementation").rule).toBe("write.outside");
    expect(evaluate("touch /work/app/x", "implementation").rule).toBe("write.inside");
  });

  test("allows work in a root below a directory of the machine, or below a protected name", () => {
    const roots = ["/var/lib/.claude/app"];
    const facts = { roots, cwd: "/var/lib/.claude/app" };
    expect(evaluate("touch x", "implementation", facts).verdict).toBe("allow");
    expect(evaluate("touch .claude/x", "implementation", facts).rule).toBe("protected-files");
    expect(evaluate("touch /var/lib/x", "implementation", facts).rule).toBe("system-files");
  });

  test("reads nothing of a root that cannot be resolved", () => {
    const facts = { roots: ["/work/app/loop"], cwd: "/work/app" };
    expect(evaluate("cat x", "planner", facts).rule).toBe("read.outside");
  });

  test.each([
    ["60 commands and a forbidden one", `${"true;".repeat(60)}rm -rf /`],
    ["3,000 commands joined by &&", Array.from({ length: 3_000 }, () => "echo hi").join(" && ")],
    ["3,000 commands in lines", "true\n".repeat(3_000)],
    ["a text of 1 MB", `echo '${"a".repeat(1_048_576)}'`],
    ["12 wrappers", `${"env ".repeat(12)}ls`],
    ["2,000 substitutions in each other", "$(".repeat(2_000) + ")".repeat(2_000)],
    ["30,000 quotes in one word", `"'`.repeat(15_000)],
    ["loops in loops", `${"for a in 1 2 3 4 5 6 7 8; do ".repeat(6)}ls;${" done;".repeat(6)}`],
    ["10,000 paths", `cat ${"src/a ".repeat(10_000)}`],
    ["backquotes", "`".repeat(60_000)],
  ])("denies %s", (_, command) => {
    expect(evaluate(command, "implementation").verdict).toBe("deny");
  });

  test("keeps a value that doubles with every assignment small", () => {
    expect(contained(`x=aaaa;${"x=$x$x;".repeat(60)}echo $x`).verdict).toBe("allow");
  });

  test("shows no control character of the command", () => {
    const { reason, judgements } = evaluate("\u001b[2Jevil \u202e x");
    expect(JSON.stringify({ reason, judgements })).not.toMatch(/\\u001b|\u202e/);
  });

  test("refuses the command in a repository that poses as one inside the project", () => {
    const exists = new Set([
      "/",
      "/work/app",
      "/work/app/.git",
      "/work/app/bare",
      "/work/app/bare/HEAD",
      "/work/app/bare/objects",
    ]);
    const realPath = (path: string) => (exists.has(path) ? path : undefined);
    expect(evaluate("git status", "planner", { realPath }).verdict).toBe("allow");
    expect(evaluate("cd bare && git status", "planner", { realPath }).verdict).toBe("ask");
    expect(evaluate("git -C bare log", "planner", { realPath }).verdict).toBe("ask");
  });

  test("asks where programs read more files than it looks at, all of them together", () => {
    let asked = 0;
    const entries = () => {
      asked += 1;
      return Array.from({ length: 500 }, (_, index) => ({
        name: `f${index}`,
        type: "file" as const,
      }));
    };
    const facts = { entries, realPath: (path: string) => path };
    expect(evaluate("grep -r x src", "planner", facts).verdict).toBe("allow");
    expect(
      evaluate(Array.from({ length: 300 }, () => "grep -r x src").join("; "), "planner", facts)
        .rule,
    ).toBe("read.unknown");
    expect(asked).toBeLessThan(20);
  });

  test("never throws, whatever the text", () => {
    const seen = new Set<string>();
    assert(
      property(anyScript, constantFrom("planner", "implementation"), (script, mode) => {
        seen.add(evaluate(script, mode).verdict);
      }),
      { numRuns: 500 },
    );
    expect([...seen].toSorted()).toEqual(["allow", "ask", "deny"]);
  });

  test("is at least as strict for a sequence as for its last part", () => {
    const looser = new Set<string>();
    assert(
      property(anyScript, constantFrom("; ", "\n", " && ", " || "), (script, sign) => {
        // A `#`, or an early end of the line, makes it another command.
        if (/^\s*[#&|;)}]|^\s*$|^[^\S\n]*\n/.test(script)) return;
        const alone = evaluate(script, "implementation").verdict;
        const whole = evaluate(`true${sign}${script}`, "implementation").verdict;
        // Behind && or || it is open whether a variable is set: then a person is asked.
        const isConditional = sign === " && " || sign === " || ";
        if (isConditional ? alone !== "allow" && whole === "allow" : isStricter(alone, whole)) {
          looser.add(`true${sign}${script}`);
        }
      }),
      { numRuns: 300 },
    );
    expect([...looser]).toEqual([]);
  });
});
