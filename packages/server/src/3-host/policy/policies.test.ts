import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@turnwire/base";
import { draft, type PolicyRule, PolicyRuleInput } from "@turnwire/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { controlAfter, everyCapability } from "../../2-session/test-support/control.ts";
import { Policies } from "./policies.ts";
import { createMemoryPolicyRules, createPolicyRuleFile } from "./rule-store.ts";
import { SessionGate } from "../../2-session/policy/session-gate.ts";

let directory: string;
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-policies-")));
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(rules = createMemoryPolicyRules()) {
  const policies = new Policies({ policyRules: rules, clock: systemClock, assess });
  const control = controlAfter(
    draft("session_ready", {
      session_id: "s",
      protocol_version: "1.0",
      runtime: "scripted",
      capabilities: everyCapability,
      cwd: directory,
      policy_mode: "planner",
    }),
  );
  const gate = new SessionGate({ source: policies, control: () => control, id: "s" });
  const judge = (command: string) => gate.judge({ tool: "Bash", input: { command } });
  return { policies, judge };
}

const assess = () =>
  Promise.resolve({ status: "none" as const, scan: { findings: [], covered: [], uncovered: [] } });

async function addRule(policies: Policies, rule: unknown): Promise<PolicyRule> {
  const added = await policies.rules.add(PolicyRuleInput.parse(rule), "ann");
  if (!added.ok) throw new Error(added.error.message);
  return added.value.rule;
}

describe("a rule of a person's own", () => {
  test("as it is suggested allows the next call at once, until it is changed or revoked", async () => {
    const { policies, judge } = open();
    const asked = await judge("mytool sync");
    expect(asked).toMatchObject({
      verdict: "ask",
      suggested_rule: {
        kind: "argv",
        argv: ["mytool", "sync"],
        is_exact: true,
        mode: "planner",
        project: directory,
      },
    });
    const { id } = await addRule(policies, asked?.suggested_rule);
    const allowed = await judge("mytool sync");
    expect(allowed).toMatchObject({ verdict: "allow", rule: id });
    expect(allowed).not.toHaveProperty("suggested_rule");
    expect(allowed?.policy_version).not.toBe(asked?.policy_version);
    expect(await judge("mytool sync; rm -rf /")).toMatchObject({ verdict: "deny" });
    await policies.rules.change(id, { argv: ["mytool", "other"] });
    expect(await judge("mytool sync")).toMatchObject({ verdict: "ask" });
    expect(await judge("mytool other")).toMatchObject({ verdict: "allow" });
    await policies.rules.remove(id);
    expect(await judge("mytool other")).toMatchObject({
      verdict: "ask",
      policy_version: asked?.policy_version,
    });
  });

  test("for another project or another mode changes nothing here", async () => {
    const { policies, judge } = open();
    await addRule(policies, { kind: "argv", argv: ["mytool"], project: "/etc" });
    await addRule(policies, { kind: "argv", argv: ["mytool"], mode: "implementation" });
    expect(await judge("mytool")).toMatchObject({ verdict: "ask" });
  });

  test("notifies those who watch, and outlives the server", async () => {
    const { policies } = open(createPolicyRuleFile(directory));
    let changes = 0;
    const stop = policies.subscribe(() => {
      changes += 1;
    });
    const { id } = await addRule(policies, { kind: "argv", argv: ["mytool"] });
    expect(changes).toBeGreaterThan(0);
    stop();
    const again = open(createPolicyRuleFile(directory));
    expect(await again.judge("mytool")).toMatchObject({ verdict: "ask" });
    await again.policies.prepare(directory);
    expect(await again.judge("mytool")).toMatchObject({ verdict: "allow", rule: id });
  });

  test("is gone with a file that makes no sense, which is kept and reported", async () => {
    writeFileSync(join(directory, "policy-rules.json"), '{"rules":[{"kind":"argv"}]}');
    const errors: Error[] = [];
    const { policies, judge } = open(
      createPolicyRuleFile(directory, (error) => errors.push(error)),
    );
    await policies.prepare(directory);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("damaged")]);
    expect(readdirSync(directory)).toEqual([
      expect.stringMatching(/^policy-rules\.json\.damaged-/),
    ]);
    expect(await judge("mytool")).toMatchObject({ verdict: "ask" });
    await addRule(policies, { kind: "argv", argv: ["mytool"] });
    expect(await judge("mytool")).toMatchObject({ verdict: "allow" });
  });
});
