import { JsonObject, JsonValue } from "@turnwire/protocol";
import * as z from "zod";

const text = z.string().nullish();
const place = { threadId: z.string(), turnId: z.string(), itemId: z.string() };

/** A call of a tool that the client has brought. */
export const ToolCallParams = z.object({
  threadId: z.string(),
  turnId: z.string(),
  callId: z.string(),
  namespace: text,
  tool: z.string(),
  arguments: JsonValue,
});
export type ToolCallParams = z.infer<typeof ToolCallParams>;

/** What the app-server asks of its client, and waits for. */
export const serverRequestSchemas = {
  "item/commandExecution/requestApproval": z.object({
    ...place,
    /** `command`, or `writeStdin` for input to a program that runs. */
    kind: text,
    command: text,
    cwd: text,
    reason: text,
    commandActions: z.array(JsonObject).nullish(),
    proposedExecpolicyAmendment: z.array(z.string()).nullish(),
    availableDecisions: z.array(JsonValue).nullish(),
    networkApprovalContext: z.object({ host: z.string() }).nullish(),
    additionalPermissions: JsonObject.nullish(),
  }),
  "item/fileChange/requestApproval": z.object({ ...place, reason: text, grantRoot: text }),
  "item/permissions/requestApproval": z.object({
    ...place,
    cwd: text,
    reason: text,
    permissions: JsonObject,
  }),
  "item/tool/requestUserInput": z.object({
    ...place,
    questions: z
      .array(
        z.object({
          id: z.string(),
          header: text,
          question: z.string(),
          options: z.array(z.object({ label: z.string(), description: text })).nullish(),
        }),
      )
      .min(1),
  }),
  "item/tool/call": ToolCallParams,
  "mcpServer/elicitation/request": z.object({
    threadId: z.string(),
    turnId: text,
    serverName: z.string(),
    mode: z.string(),
    message: text,
    requestedSchema: JsonValue.optional(),
    url: text,
    _meta: JsonValue.optional(),
  }),
};

export type ServerRequestMethod = keyof typeof serverRequestSchemas;

export function isServerRequestMethod(method: string): method is ServerRequestMethod {
  return Object.hasOwn(serverRequestSchemas, method);
}
