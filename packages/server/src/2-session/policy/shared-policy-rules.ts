import { type Clock, startTimer } from "@turnwire/base";
import { PolicyRule } from "@turnwire/protocol";
import * as z from "zod";
import type { Sharing } from "../sharing.ts";
import { jsonFrom } from "../whole-file.ts";
import type { PolicyRuleStore } from "./rule-store.ts";

const KEY = "policy-rules";
/** Hints may be lost: a rule that was removed on another host must not stay in force for long. */
const POLL_MS = 5_000;

const StoredRules = z.object({ rules: z.array(PolicyRule) });

export interface SharedPolicyRulesOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Rules that all hosts of a store have in common, in one value. Where it makes no sense nothing is
 * allowed by it, which is reported; the next rule that is added replaces it.
 */
export function createSharedPolicyRules(
  sharing: Sharing,
  { clock, onError }: SharedPolicyRulesOptions,
): PolicyRuleStore {
  const { values } = sharing;
  /** The value that a list of rules was read from or written as: what it must still be to be replaced. */
  const texts = new WeakMap<readonly PolicyRule[], string>();
  let reported: string | undefined;
  return {
    async load() {
      const text = await values.readValue(KEY);
      if (text === undefined) return [];
      const parsed = StoredRules.safeParse(jsonFrom(text));
      const rules = parsed.success ? parsed.data.rules : [];
      texts.set(rules, text);
      if (!parsed.success && text !== reported) {
        reported = text;
        const message =
          "The policy rules in the store are damaged: none is in force. Add them again.";
        onError(new Error(message, { cause: parsed.error }));
      }
      return rules;
    },
    async save(rules, before) {
      const text = JSON.stringify({ rules });
      const isWritten = await values.writeValue(KEY, text, { onlyIf: texts.get(before) ?? null });
      if (isWritten) texts.set(rules, text);
      return isWritten;
    },
    subscribe(onChange) {
      const stopWatch = sharing.watch(KEY, onChange);
      let cancel = (): void => undefined;
      const plan = (): void => {
        cancel = startTimer(clock, POLL_MS, () => {
          plan();
          onChange();
        });
      };
      plan();
      return () => {
        stopWatch();
        cancel();
      };
    },
  };
}
