import type { PermissionBlock, ToolBlock } from "@turnwire/protocol";
import type { ComponentType } from "react";
import { Icon } from "../../element/icon.tsx";
import { BlockFold } from "./block-fold.tsx";
import { counted } from "../../element/figure.ts";
import { ToolBlockView } from "./tool-block.tsx";
import { toolsSummary } from "./tool-kind.ts";

/** Of many calls in a row only the newest are shown; with the line for the others the height stays the same. */
const SHOWN = 3;

interface ToolRunProps {
  /** The calls, and the ended requests for them. */
  readonly blocks: readonly (ToolBlock | PermissionBlock)[];
  /** Shows how such a request ended. */
  readonly Outcome?: ComponentType<{ readonly block: PermissionBlock }>;
}

/** Consecutive tool calls; if there are many, only the newest are shown. */
export function ToolRun({ blocks, Outcome }: ToolRunProps) {
  const tools = blocks.filter((block) => block.type === "tool");
  const permissions = new Map(
    blocks.flatMap((block) =>
      block.type === "permission" ? [[block.request.tool_use_id, block] as const] : [],
    ),
  );
  const hidden = tools.length > SHOWN + 1 ? tools.slice(0, -SHOWN) : [];
  const first = hidden[0];
  const view = (block: ToolBlock) => (
    <ToolBlockView
      key={block.key}
      block={block}
      permission={permissions.get(block.tool_use_id)}
      Outcome={Outcome}
    />
  );
  return (
    <div className="shrink">
      {first && (
        <BlockFold
          id={`${first.key} run`}
          isNested
          summary={
            <>
              <span className="inline-row rigid faint">
                <Icon name="more" size={15} />
              </span>
              <span className="rigid medium ink">{counted(hidden.length, "tool")}</span>
              <span className="cut">{toolsSummary(hidden)}</span>
            </>
          }
        >
          {hidden.map(view)}
        </BlockFold>
      )}
      {tools.slice(hidden.length).map(view)}
    </div>
  );
}
