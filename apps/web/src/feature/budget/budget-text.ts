import type { Capabilities } from "@turnwire/protocol";
import { costText, countText, counted } from "../../element/figure.ts";

/** What can be limited, in the order in which people see it. */
export const budgetKinds = ["cost_usd", "tokens", "minutes", "turns"] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** How much a session may use; what is absent has no limit. */
export type BudgetLimits = { readonly [Kind in BudgetKind]?: number | undefined };

/** What can be limited with an agent: each counts time and turns, not each reports the rest. */
export function countedKinds({ budgets }: Pick<Capabilities, "budgets">): readonly BudgetKind[] {
  const counted: readonly BudgetKind[] = budgets ?? ["minutes", "turns"];
  return budgetKinds.filter((kind) => counted.includes(kind));
}

/** What was typed into the fields of a budget. */
export type BudgetTexts = { readonly [Kind in BudgetKind]?: string };

export const budgetLabels: Readonly<Record<BudgetKind, string>> = {
  cost_usd: "Cost in US dollars",
  tokens: "Tokens",
  minutes: "Minutes of work",
  turns: "Turns",
};

const wholeKinds: ReadonlySet<BudgetKind> = new Set(["tokens", "turns"]);

/** The limits that were typed, or what is wrong with one of them; empty fields set no limit. */
export function budgetFrom(
  texts: BudgetTexts,
): { readonly limits: BudgetLimits } | { readonly kind: BudgetKind; readonly problem: string } {
  const limits: { [Kind in BudgetKind]?: number } = {};
  for (const kind of budgetKinds) {
    const text = (texts[kind] ?? "").trim();
    if (text === "") continue;
    const value = numberFrom(text);
    if (value === undefined || value <= 0) {
      return { kind, problem: `${budgetLabels[kind]}: enter a number greater than 0.` };
    }
    if (wholeKinds.has(kind) && !Number.isInteger(value)) {
      return { kind, problem: `${budgetLabels[kind]}: enter a whole number.` };
    }
    limits[kind] = value;
  }
  return { limits };
}

/** People write 1.5M, 200k, 200,000 or $5. */
function numberFrom(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^\$?\s*([\d.,\s]+?)\s*([km]?)$/i.exec(text) ?? [];
  const value = Number(digits.replaceAll(/[,\s]/g, ""));
  if (digits === "" || !Number.isFinite(value)) return undefined;
  const factor = { k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1;
  return Math.round(value * factor * 1e6) / 1e6;
}

export function budgetTexts(limits: BudgetLimits): BudgetTexts {
  const texts: { [Kind in BudgetKind]?: string } = {};
  for (const kind of budgetKinds) {
    const limit = limits[kind];
    if (limit !== undefined) texts[kind] = String(limit);
  }
  return texts;
}

/** An amount with its unit: $5.00, 200k tokens, 30 minutes, 4 turns. */
export function amountText(kind: BudgetKind, amount: number): string {
  switch (kind) {
    case "cost_usd":
      return amount === 0 ? "$0.00" : costText(amount);
    case "tokens":
      return `${countText(Math.round(amount))} ${amount === 1 ? "token" : "tokens"}`;
    case "minutes":
      return counted(Math.round(amount * 10) / 10, "minute");
    case "turns":
      return counted(amount, "turn");
  }
}

/** All limits in one line. */
export function limitsText(limits: BudgetLimits): string {
  return budgetKinds
    .flatMap((kind) => {
      const limit = limits[kind];
      return limit === undefined ? [] : [amountText(kind, limit)];
    })
    .join(", ");
}

/** The limits of these kinds. */
export function pickedLimits(limits: BudgetLimits, kinds: readonly BudgetKind[]): BudgetLimits {
  return Object.fromEntries(
    kinds.flatMap((kind) => (limits[kind] === undefined ? [] : [[kind, limits[kind]]])),
  );
}
