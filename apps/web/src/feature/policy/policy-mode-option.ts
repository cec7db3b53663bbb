import type { PolicyModeInfo } from "@turnwire/protocol";
import type { ChoiceOption } from "../../element/choice.tsx";
import { counted } from "../../element/figure.ts";

/** The values of the choices that are not a mode: no mode can have these names. */
export const serverDefault = "*";
export const noPolicy = "";

interface OfferedModes {
  readonly modes: readonly PolicyModeInfo[];
  /** A mode that is in use but not known any more is offered too. */
  readonly current?: string | undefined;
  /** What a new session gets that chooses none. */
  readonly defaultMode?: string | undefined;
}

/** The policy modes to choose from, the server's default and none among them. */
export function policyModeOptions(offered: OfferedModes): readonly ChoiceOption[] {
  const { modes, current, defaultMode } = offered;
  const isKnown = current === undefined || modes.some(({ name }) => name === current);
  return [
    ...(defaultMode === undefined ? [] : [defaultOption(modes, defaultMode)]),
    { value: noPolicy, label: "No policy", description: "Only the permission mode decides." },
    ...modes.map((mode) => ({
      value: mode.name,
      label: policyModeLabel(mode.name),
      description: mode.description,
      facts:
        mode.max_turns === undefined ? undefined : `${counted(mode.max_turns, "step")} at most`,
      isRisky: mode.is_unrestricted,
    })),
    ...(isKnown
      ? []
      : [{ value: current, label: policyModeLabel(current), description: "Not known any more." }]),
  ];
}

function defaultOption(modes: readonly PolicyModeInfo[], name: string): ChoiceOption {
  const mode = modes.find((other) => other.name === name);
  return {
    value: serverDefault,
    label: `Server default (${policyModeLabel(name)})`,
    description: mode?.problem ?? mode?.description ?? "Not known any more.",
    isRisky: mode?.is_unrestricted === true,
  };
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
