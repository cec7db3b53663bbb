import * as z from "zod";
import { JsonObject, JsonValue } from "../json/json.ts";
import { JsonPatchOperation } from "../json/json-patch.ts";
import { Surface } from "../part/surface.ts";
import { by } from "./by.ts";

const version = z
  .int()
  .positive()
  .optional()
  .describe(
    "The version of the shared state after this event: 1, 2, 3 …; the server sets it. Absent in older logs, where each change counts one.",
  );

const componentId = z.string().describe("The component's id, unique in the session.");

export const componentEventData = {
  component_update: z
    .object({
      component_id: componentId,
      name: z.string().describe("Which component to render; the UI knows it by this name."),
      surface: Surface,
      props: JsonObject.describe("The component's properties."),
      merge: z
        .boolean()
        .describe(
          "True: the properties are merged over the earlier ones, top level only; false: they replace them.",
        ),
      patches: z
        .array(JsonPatchOperation)
        .optional()
        .describe(
          "JSON Patch operations (RFC 6902) on the earlier properties, all or none; `props` is then empty. Of a component that is not there, or where they do not apply, nothing changes.",
        ),
      tool_use_id: z.string().optional().describe("The tool use that shows the component."),
      by,
    })
    .describe("A component is shown, changes or moves to another surface."),
  component_remove: z.object({ component_id: componentId, by }).describe("A component is removed."),
  component_callback: z
    .object({
      component_id: componentId,
      action: z.string().describe("What happened, in the component's own words."),
      payload: JsonObject.describe("The data that belongs to the action."),
      message_id: z
        .string()
        .optional()
        .describe("The message to the agent that it became; absent: it waits for the next one."),
      by,
    })
    .describe("A person did something in a component."),
  state_snapshot: z
    .object({ state: JsonValue.describe("The whole shared state."), version })
    .describe("The shared state was replaced."),
  state_delta: z
    .object({
      patches: z
        .array(JsonPatchOperation)
        .describe("JSON Patch operations (RFC 6902), applied in order, all or none."),
      version,
      client_patch_id: z
        .string()
        .optional()
        .describe("The id that the sender gave the patch, where a client sent it."),
      by,
    })
    .describe("The shared state was patched."),
};
