import { Budget, budgetLimits } from "@turnwire/protocol";

export const budgetExample = "tokens=200000,minutes=30";

/** The budget in words such as `tokens=200000,minutes=30`, or what is wrong with them. */
export function budgetFromText(text: string): Budget | { readonly problem: string } {
  const limits = new Map<string, number>();
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [name = "", value = ""] = word.split("=");
    const figure = value.trim() === "" ? Number.NaN : Number(value);
    if (!budgetLimits.some((limit) => limit === name) || !Number.isFinite(figure)) {
      return {
        problem: `${word}: write one of ${budgetLimits.join(", ")} and a number, such as ${budgetExample}`,
      };
    }
    limits.set(name, figure);
  }
  const budget = Budget.safeParse(Object.fromEntries(limits));
  if (budget.success) return budget.data;
  const [issue] = budget.error.issues;
  const path = issue?.path.join(".");
  return { problem: `${path ? `${path}: ` : ""}${issue?.message ?? "no budget"}` };
}
