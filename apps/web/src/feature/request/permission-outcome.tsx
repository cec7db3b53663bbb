import type { PermissionBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { permissionEnding } from "./permission-ending.ts";
import style from "./permission-outcome.module.css";
import { endingOf } from "./request-ending.ts";
import { suggestionText } from "./suggestion.ts";
import { useRequestPlaces } from "./use-request-places.ts";

/** How a permission request ended, in the row of its tool. */
export function PermissionOutcome({ block }: { readonly block: PermissionBlock }) {
  const { id, progress } = useRequest(block);
  const isElsewhere = useRequestPlaces().isAnsweredElsewhere(id);
  const { text, tone } = endingOf(progress, { answer: permissionEnding(block), isElsewhere });
  const more = (block.resolution?.updated_permissions ?? []).map(suggestionText).join("\n");
  return (
    <span
      className={style.outcome}
      data-tone={tone}
      title={more === "" ? text : `${text}: ${more}`}
    >
      {text}
    </span>
  );
}
