import { rename } from "node:fs/promises";
import { join } from "node:path";
import { PolicyRule } from "@turnwire/protocol";
import * as z from "zod";
import {
  createMemoryList,
  type ListStore,
  jsonFrom,
  readWhole,
  writeWhole,
} from "@turnwire/log/list";

/** Where a person's own policy rules outlive the server. */
export type PolicyRuleStore = ListStore<PolicyRule>;

/** Rules that end with the process. */
export function createMemoryPolicyRules(): PolicyRuleStore {
  return createMemoryList();
}

const RuleFile = z.object({ rules: z.array(PolicyRule) });

/** Rules in `<directory>/policy-rules.json`. A file that makes no sense is put aside and reported; nothing is allowed by it then. */
export function createPolicyRuleFile(
  directory: string,
  onDamaged: (error: Error) => void = (error) => console.error(error),
): PolicyRuleStore {
  const path = join(directory, "policy-rules.json");
  return {
    async load() {
      const text = await readWhole(path);
      if (text === undefined) return [];
      const parsed = RuleFile.safeParse(jsonFrom(text));
      if (parsed.success) return parsed.data.rules;
      const kept = `${path}.damaged-${Date.now()}`;
      await rename(path, kept);
      const message = `The policy rules in ${path} were damaged. They were kept as ${kept}; add them again.`;
      onDamaged(new Error(message, { cause: parsed.error }));
      return [];
    },
    save: (rules) => writeWhole(path, `${JSON.stringify({ rules }, null, 2)}\n`),
  };
}
