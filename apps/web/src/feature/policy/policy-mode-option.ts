import type { PolicyModeInfo } from "@turnwire/protocol";
import type { ChoiceOption } from "../../element/choice.tsx";
import { counted } from "../../element/figure.ts";

/** The policy modes to choose from; no value stands for none. One that is in use but not known any more is included. */
export function policyModeOptions(
  modes: readonly PolicyModeInfo[],
  current: string | undefined,
): readonly ChoiceOption[] {
  const isKnown = current === undefined || modes.some(({ name }) => name === current);
  return [
    { value: "", label: "No policy", description: "Only the permission mode decides." },
    ...modes.map((mode) => ({
      value: mode.name,
      label: policyModeLabel(mode.name),
      description: mode.description,
      facts:
        mode.max_turns === undefined ? undefined : `${counted(mode.max_turns, "step")} at most`,
      isRisky: mode.name === "unrestricted",
    })),
    ...(isKnown
      ? []
      : [{ value: current, label: policyModeLabel(current), description: "Not known any more." }]),
  ];
}

const builtInLabels: Readonly<Record<string, string>> = {
  planner: "Planner",
  implementation: "Implementation",
  unrestricted: "Unrestricted",
};

/** A mode by the name that people see; a person's own modes keep theirs. */
export function policyModeLabel(name: string): string {
  return builtInLabels[name] ?? name;
}
