import { createStore, detach } from "@turnwire/base";
import type { PolicyInfo, PolicyQuery, WrittenPolicyRule } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useEffect, useState } from "react";
import { plainError } from "../../element/plain-error.ts";
import { useStore } from "../../element/use-store.ts";

/** Grows whenever a person changed a rule: everyone who shows the policy asks again. */
const revision = createStore(0);

interface LoadedPolicy {
  /** Undefined until it is known. */
  readonly policy: PolicyInfo | undefined;
  readonly problem: string | undefined;
}

/** The policy where a session or a directory is; files may change in an editor, so it is read again on focus. Undefined: it is not needed now. */
export function usePolicy(wanted: PolicyQuery | undefined): LoadedPolicy {
  const { session, path } = wanted ?? {};
  const isWanted = wanted !== undefined;
  const client = useClient();
  const current = useStore(revision);
  const [policy, setPolicy] = useState<PolicyInfo>();
  const [problem, setProblem] = useState<string>();
  const [focused, setFocused] = useState(0);
  useEffect(() => {
    const onFocus = (): void => setFocused((before) => before + 1);
    addEventListener("focus", onFocus);
    return () => removeEventListener("focus", onFocus);
  }, []);
  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    const query = {
      ...(session !== undefined && { session }),
      ...(path !== undefined && { path }),
    };
    const load = async (): Promise<void> => {
      const found = await client.policy.get(query, { signal: abort.signal });
      if (abort.signal.aborted) return;
      setPolicy(found);
      setProblem(undefined);
    };
    detach(load(), (error) => {
      if (!abort.signal.aborted) setProblem(plainError(error));
    });
    return () => abort.abort();
  }, [client, isWanted, session, path, current, focused]);
  return { policy, problem };
}

/** Why a person cannot save rules; undefined where they can, or where it is not known yet. */
export function ruleRefusal(policy: PolicyInfo | undefined): string | undefined {
  return policy?.can_edit === false ? "Only an admin of this server can save rules." : undefined;
}

interface RuleChanges {
  readonly add: (rule: WrittenPolicyRule) => Promise<void>;
  /** Replaces what a person can edit of a rule. */
  readonly change: (id: string, rule: WrittenPolicyRule) => Promise<void>;
  readonly revoke: (id: string) => Promise<void>;
}

/** Changes a person's own rules; each call rejects with what is wrong. */
export function useRuleChanges(): RuleChanges {
  const client = useClient();
  const after = async (change: Promise<unknown>): Promise<void> => {
    try {
      await change;
    } finally {
      revision.set(revision.get() + 1);
    }
  };
  return {
    add: (rule) => after(client.policy.addRule(rule)),
    change: (id, { kind, mode, project, ...rest }) =>
      // Null removes a field that the rule had.
      after(
        client.policy.changeRule(id, {
          ...(kind === "argv" && { is_exact: null }),
          ...rest,
          mode: mode ?? null,
          project: project ?? null,
        }),
      ),
    revoke: (id) => after(client.policy.removeRule(id)),
  };
}
