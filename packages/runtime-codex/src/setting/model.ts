import type { Capabilities, ModelInfo } from "@turnwire/protocol";
import * as z from "zod";
import type { RpcClient } from "../protocol/rpc.ts";

const ModelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      displayName: z.string().optional(),
      description: z.string().optional(),
      hidden: z.boolean().optional(),
      supportedReasoningEfforts: z.array(z.object({ reasoningEffort: z.string() })).optional(),
      isDefault: z.boolean().optional(),
    }),
  ),
});

type CodexModel = z.infer<typeof ModelList>["data"][number];

/** The models that Codex offers; `configured` is the one of sessions that name none. */
export async function readModels(
  rpc: RpcClient,
  configured: string | undefined,
): Promise<ModelInfo[]> {
  const { data } = ModelList.parse(await rpc.call("model/list", {}));
  return data.filter(({ hidden }) => hidden !== true).map((model) => infoFrom(model, configured));
}

function infoFrom(model: CodexModel, configured: string | undefined): ModelInfo {
  const { id, displayName, description, supportedReasoningEfforts, isDefault = false } = model;
  const isChosen = configured === undefined ? isDefault : id === configured;
  return {
    id,
    ...(displayName !== undefined && { label: displayName }),
    ...(description !== undefined && description !== "" && { description }),
    ...(supportedReasoningEfforts && {
      efforts: supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort),
    }),
    ...(isChosen && { is_default: true }),
  };
}

/** Lowest first; one that Codex adds later comes last. */
const effortOrder = ["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"];

/** Capabilities with the models that Codex has reported, and with the efforts that any of them has. */
export function withModels(capabilities: Capabilities, models: readonly ModelInfo[]): Capabilities {
  const offered = new Set(models.flatMap((model) => model.efforts ?? []));
  const efforts = [
    ...effortOrder.filter((effort) => offered.has(effort)),
    ...[...offered].filter((effort) => !effortOrder.includes(effort)),
  ];
  return {
    ...capabilities,
    models: [...models],
    ...(efforts.length > 0 && { efforts }),
  };
}
