import * as z from "zod";
import { JsonObject, JsonValue } from "../json.ts";
import { JsonPatchOperation } from "../json-patch.ts";

/** A place in the UI where components live. */
export const Surface = z.enum(["chat", "sidebar", "panel", "overlay", "canvas"]);
export type Surface = z.infer<typeof Surface>;

export const componentEventData = {
  component_update: z.object({
    component_id: z.string(),
    name: z.string(),
    surface: Surface,
    props: JsonObject,
    /** True: props are laid over the earlier ones; false: they replace them. */
    merge: z.boolean(),
    tool_use_id: z.string().optional(),
  }),
  component_remove: z.object({ component_id: z.string() }),
  component_callback: z.object({
    component_id: z.string(),
    action: z.string(),
    payload: JsonObject,
    by: z.string().optional(),
  }),
  state_snapshot: z.object({ state: JsonValue }),
  state_delta: z.object({ patches: z.array(JsonPatchOperation), by: z.string().optional() }),
};
