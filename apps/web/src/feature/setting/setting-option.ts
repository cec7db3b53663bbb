import type { Capabilities, ModelInfo } from "@turnwire/protocol";
import type { ChoiceOption } from "../../element/choice.tsx";

/** The models to choose from: no value means the agent's default. One that is in use but not listed is included. */
export function modelOptions(
  { models }: Pick<Capabilities, "models">,
  current: string | undefined,
): readonly ChoiceOption[] {
  const usual = models.find(({ is_default }) => is_default);
  const isKnown = current === undefined || models.some(({ id }) => id === current);
  return [
    ...(usual ? [] : [{ value: "", label: "Default model" }]),
    ...models.map((model) => ({
      value: model === usual ? "" : model.id,
      label: model.label ?? model.id,
      description: model.description,
      facts: modelFacts(model),
    })),
    ...(isKnown ? [] : [{ value: current, label: current }]),
  ];
}

/** What a model reads at once and costs, as far as it is known. */
function modelFacts({ context_window, price }: ModelInfo): string | undefined {
  const facts = [
    ...(context_window === undefined ? [] : [`${shortCount(context_window)} context`]),
    ...(price
      ? [`$${price.input_per_million_usd} in, $${price.output_per_million_usd} out per million`]
      : []),
  ];
  return facts.length === 0 ? undefined : facts.join(" · ");
}

function shortCount(tokens: number): string {
  return tokens >= 1_000_000 ? `${tokens / 1_000_000}M` : `${Math.round(tokens / 1_000)}k`;
}

const effortLabels: Readonly<Record<string, string>> = {
  none: "No thinking",
  minimal: "Minimal effort",
  low: "Low effort",
  medium: "Medium effort",
  high: "High effort",
  xhigh: "Extra high effort",
  max: "Maximum effort",
};

/** The effort levels of the model in use; empty where it has none. */
export function effortOptions(
  { models, efforts }: Pick<Capabilities, "models" | "efforts">,
  model: string | undefined,
  current: string | undefined,
): readonly ChoiceOption[] {
  const used = models.find(({ id, is_default }) =>
    model === undefined ? is_default === true : id === model,
  );
  const levels = used?.efforts ?? efforts;
  const all = current === undefined || levels.includes(current) ? levels : [...levels, current];
  if (all.length === 0) return [];
  return [
    { value: "", label: "Default effort", description: "As the agent is configured" },
    ...all.map((level) => ({ value: level, label: effortLabels[level] ?? level })),
  ];
}

type ModeCapabilities = Pick<
  Capabilities,
  "permission_modes" | "admin_modes" | "unavailable_modes" | "mode_info"
>;

/** The modes that can be used here; those that never ask are marked. */
export function modeOptions(
  capabilities: ModeCapabilities,
  current: string | undefined,
): readonly ChoiceOption[] {
  const { admin_modes, mode_info = {} } = capabilities;
  const options = usableModes(capabilities).map((mode) => {
    const info = mode_info[mode];
    return {
      value: mode,
      label: info?.label ?? mode,
      description: info?.description,
      isRisky: info?.risk === "full" || admin_modes.includes(mode),
    };
  });
  // A mode cannot be unset, so no mode is offered only while none was chosen.
  return current === undefined
    ? [{ value: "", label: "Default permissions" }, ...options]
    : options;
}

/** The mode that a new session begins with: the first that lets a person decide. */
export function firstMode(capabilities: ModeCapabilities): string | undefined {
  const { mode_info = {}, admin_modes } = capabilities;
  return usableModes(capabilities).find(
    (mode) => mode_info[mode]?.risk === "asks" && !admin_modes.includes(mode),
  );
}

function usableModes({ permission_modes, unavailable_modes = {} }: ModeCapabilities): string[] {
  return permission_modes.filter((mode) => !Object.hasOwn(unavailable_modes, mode));
}
