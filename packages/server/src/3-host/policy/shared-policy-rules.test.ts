import { createMemoryStore, StoreError } from "@turnwire/log";
import { draft, type PolicyRule, PolicyRuleInput } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { sharingOf, type Sharing } from "@turnwire/log/list";
import { controlAfter, everyCapability } from "../../2-session/test-support/control.ts";
import { Policies } from "./policies.ts";
import { SessionGate } from "../../2-session/policy/session-gate.ts";
import { createSharedPolicyRules } from "./shared-policy-rules.ts";

const assess = () =>
  Promise.resolve({ status: "none" as const, scan: { findings: [], covered: [], uncovered: [] } });

/** The policies of one host, and what they say of a shell command in a session there. */
function openHost(sharing: Sharing, clock = new ManualClock()) {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const policyRules = createSharedPolicyRules(sharing, { clock, onError });
  const policies = new Policies({ policyRules, clock, assess, onError });
  onTestFinished(() => policies.close());
  const control = controlAfter(
    draft("session_ready", {
      session_id: "s",
      protocol_version: "1.0",
      runtime: "scripted",
      capabilities: everyCapability,
      cwd: "/",
      policy_mode: "planner",
    }),
  );
  const gate = new SessionGate({ source: policies, control: () => control, id: "s" });
  const verdict = async (command: string) =>
    (await gate.judge({ tool: "Bash", input: { command } }))?.verdict;
  return { policies, clock, errors, verdict };
}

function ruleFor(...argv: string[]): PolicyRuleInput {
  return PolicyRuleInput.parse({ kind: "argv", argv, is_exact: true, verdict: "allow" });
}

async function addRule({ policies }: ReturnType<typeof openHost>, rule: PolicyRuleInput) {
  const added = await policies.rules.add(rule, "ann");
  if (!added.ok) throw new Error(added.error.message);
  return added.value.rule;
}

describe("the policy rules of hosts that share a store", () => {
  test("are in force on all of them from the moment they are added until they are removed", async () => {
    const sharing = sharingOf(createMemoryStore({ isShared: true }));
    const [a, b] = [openHost(sharing), openHost(sharing)];
    expect(await b.verdict("mytool sync")).toBe("ask");
    const { id } = await addRule(a, ruleFor("mytool", "sync"));
    await expect.poll(() => b.verdict("mytool sync")).toBe("allow");
    expect((await b.policies.rules.remove(id)).ok).toBe(true);
    await expect.poll(() => a.verdict("mytool sync")).toBe("ask");
  });

  test("are all kept when hosts change them at the same instant", async () => {
    const sharing = sharingOf(createMemoryStore({ isShared: true }));
    const hosts = [openHost(sharing), openHost(sharing), openHost(sharing)];
    const added = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const host = hosts[index % hosts.length];
        if (!host) throw new Error("no host");
        return addRule(host, ruleFor("tool", `${index}`));
      }),
    );
    const [a, b] = hosts;
    await Promise.all(hosts.map(({ policies }) => policies.rules.load()));
    const ids = (rules: readonly PolicyRule[]) => rules.map(({ id }) => id).toSorted();
    expect(ids(a?.policies.rules.current ?? [])).toEqual(ids(added));
    expect(b?.policies.rules.current).toEqual(a?.policies.rules.current);
  });

  test("are one rule when two hosts add the same", async () => {
    const sharing = sharingOf(createMemoryStore({ isShared: true }));
    const [a, b] = [openHost(sharing), openHost(sharing)];
    const both = await Promise.all([addRule(a, ruleFor("mytool")), addRule(b, ruleFor("mytool"))]);
    expect(both[0]).toEqual(both[1]);
  });

  test("are looked for now and then where no hint comes", async () => {
    const store = createMemoryStore({ isShared: true });
    const sharing = { ...sharingOf(store), watch: () => () => undefined };
    const [a, b] = [openHost(sharing), openHost(sharing)];
    await b.policies.rules.load();
    await addRule(a, ruleFor("mytool", "sync"));
    expect(await b.verdict("mytool sync")).toBe("ask");
    await b.clock.advance(5_000);
    await expect.poll(() => b.verdict("mytool sync")).toBe("allow");
  });

  test("that make no sense allow nothing, are reported once, and can be added again", async () => {
    const sharing = sharingOf(createMemoryStore({ isShared: true }));
    await sharing.values.writeValue("policy-rules", "{half");
    const host = openHost(sharing);
    await host.policies.rules.load();
    await host.policies.rules.load();
    expect(await host.verdict("mytool sync")).toBe("ask");
    expect(host.errors).toMatchObject([{ message: expect.stringContaining("damaged") }]);
    await addRule(host, ruleFor("mytool", "sync"));
    expect(await host.verdict("mytool sync")).toBe("allow");
  });

  test("are not changed while the store is unavailable, which ends no rule", async () => {
    const store = createMemoryStore({ isShared: true });
    const host = openHost(sharingOf(store));
    await addRule(host, ruleFor("mytool", "sync"));
    const readValue = store.values.readValue.bind(store.values);
    store.values.readValue = () =>
      Promise.reject(new StoreError("unavailable", "the database is away"));
    await expect(addRule(host, ruleFor("other"))).rejects.toMatchObject({ code: "unavailable" });
    expect(await host.verdict("mytool sync")).toBe("allow");
    store.values.readValue = readValue;
    await addRule(host, ruleFor("other"));
    expect(host.policies.rules.current).toHaveLength(2);
  });
});
