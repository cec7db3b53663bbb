import { isObject } from "@turnwire/base";

/** A step of a plan while it is edited; it keeps its key when it moves. */
export interface EditedStep {
  readonly key: number;
  readonly text: string;
}

export type StepChange =
  | { readonly type: "write"; readonly key: number; readonly text: string }
  | { readonly type: "add" }
  | { readonly type: "remove"; readonly key: number }
  | { readonly type: "move"; readonly key: number; readonly by: 1 | -1 };

export function editedSteps(texts: readonly string[]): readonly EditedStep[] {
  return texts.map((text, key) => ({ key, text }));
}

/** The steps after a change; an impossible change leaves them as they are. */
export function changeSteps(
  steps: readonly EditedStep[],
  change: StepChange,
): readonly EditedStep[] {
  switch (change.type) {
    case "write":
      return steps.map((step) => (step.key === change.key ? { ...step, text: change.text } : step));
    case "add":
      return [...steps, { key: Math.max(-1, ...steps.map(({ key }) => key)) + 1, text: "" }];
    case "remove":
      return steps.filter(({ key }) => key !== change.key);
    case "move": {
      const from = steps.findIndex(({ key }) => key === change.key);
      const to = from + change.by;
      const step = steps[from];
      if (!step || to < 0 || to >= steps.length) return steps;
      return steps.toSpliced(from, 1).toSpliced(to, 0, step);
    }
  }
}

/** Changes of a person to the agent's plan that were not sent, or not answered by a new plan. */
export interface PlanEdit {
  /** The plan that they changed. */
  readonly base: readonly string[];
  readonly steps: readonly string[];
}

/** What was stored as an edit; undefined where it is none. */
export function planEditFrom(value: unknown): PlanEdit | undefined {
  if (!isObject(value)) return undefined;
  const { base, steps } = value;
  return isTexts(base) && isTexts(steps) ? { base, steps } : undefined;
}

export function isSamePlan(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
