import { z } from "zod";

/** The verdict of a policy on something that an agent wants to do; `ask` means that a person decides. */
export const Verdict = z.enum(["allow", "ask", "deny"]);
export type Verdict = z.infer<typeof Verdict>;

const strictness: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };

export function isStricter(verdict: Verdict, than: Verdict): boolean {
  return strictness[verdict] > strictness[than];
}
