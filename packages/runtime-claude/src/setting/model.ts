import type { ModelInfo as ClaudeModel } from "@anthropic-ai/claude-agent-sdk";
import type { ModelInfo } from "@turnwire/protocol";

/** `$4/$20 per Mtok`: the CLI 2.1.325 states prices only in its descriptions. */
const price = /\$(\d+(?:\.\d+)?)\/\$(\d+(?:\.\d+)?) per Mtok/;

/** A model as the CLI describes it: `Opus 5.5 · Best for everyday, complex tasks · $4/$20 per Mtok`. */
export function modelFromClaude(model: ClaudeModel): ModelInfo {
  const { value, resolvedModel, displayName, supportsEffort, supportedEffortLevels } = model;
  const parts = model.description.split(" · ");
  const [, input, output] = price.exec(model.description) ?? [];
  const hasLongName = parts.length > 1 && parts[0]?.startsWith(displayName) === true;
  const description = parts
    .slice(hasLongName ? 1 : 0)
    // A price with conditions stays in the text.
    .filter((part) => part.replace(price, "") !== "")
    .join(" · ");
  return {
    id: value,
    ...(resolvedModel !== undefined && resolvedModel !== value && { resolved_id: resolvedModel }),
    label: hasLongName ? (parts[0] ?? displayName) : displayName,
    ...(description !== "" && { description }),
    ...(input !== undefined &&
      output !== undefined && {
        price: { input_per_million_usd: Number(input), output_per_million_usd: Number(output) },
      }),
    ...effortsOf(supportsEffort, supportedEffortLevels),
    ...(value === "default" && { is_default: true }),
  };
}

/** Absent where the CLI does not say which. */
function effortsOf(
  supportsEffort: boolean | undefined,
  levels: readonly string[] | undefined,
): Pick<ModelInfo, "efforts"> {
  if (levels) return { efforts: [...levels] };
  return supportsEffort === true ? {} : { efforts: [] };
}
