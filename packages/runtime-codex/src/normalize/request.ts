import { draft, type EventDraft, type JsonObject, resolutionDraft } from "@turnwire/protocol";
import { withEntry, withoutEntry } from "@turnwire/runtime";
import { forSession } from "../protocol/answer.ts";
import type { CodexMessageOf } from "../protocol/message.ts";
import type { ServerRequestMethod } from "../protocol/server-request.ts";
import { askedPermission, type Permission } from "./elicitation.ts";
import { questionsFrom } from "./question.ts";
import { type CodexState, type OpenRequest, placeOf, type ItemPlace, type Step } from "./state.ts";
import { changesFrom, patchTool, shellTool, unwrapped } from "./tool-use.ts";

type ServerRequest = CodexMessageOf<
  ServerRequestMethod | "turnwire/tool_approval" | "turnwire/interrupt_ask"
>;

/** Codex asks a person, or a tool that the client has brought. */
export function ask(state: CodexState, request: ServerRequest): Step {
  switch (request.method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
    case "item/permissions/requestApproval":
      return askPermission(state, request, permissionFrom(state, request));
    case "mcpServer/elicitation/request": {
      const questions = questionsFrom(request);
      return questions.length > 0
        ? askQuestion(state, request, questions)
        : askPermission(state, request, askedPermission(state, request));
    }
    case "item/tool/requestUserInput":
      return askQuestion(state, request, questionsFrom(request));
    case "turnwire/tool_approval": {
      const { callId, arguments: input } = request.params;
      const toolName = toolNameOf(request.params);
      return askPermission(state, request, { toolName, input, context: {}, toolUseId: callId });
    }
    case "turnwire/interrupt_ask": {
      const { component_name, props, surface } = request.params;
      const shown = { component_name, props, surface };
      const asks = { type: "interrupt", toolName: component_name } as const;
      return opened(state, request, asks, ({ correlation_id: interrupt_id }, place) =>
        draft("interrupt", { interrupt_id, ...shown }, place),
      );
    }
    case "item/tool/call": {
      const { callId, arguments: input } = request.params;
      const toolName = toolNameOf(request.params);
      const data = { tool_use_id: callId, tool_name: toolName, input };
      return opened(state, request, { type: "tool_call", toolName }, (asked, place) =>
        draft("tool_call_request", { ...asked, ...data }, place),
      );
    }
  }
}

/** A tool that the client has brought. */
function toolNameOf({ namespace, tool }: { namespace?: string | null | undefined; tool: string }) {
  return namespace ? `${namespace}.${tool}` : tool;
}

/** A person has answered: what Codex says of it later is not news. */
export function answerAsk(state: CodexState, correlationId: string): CodexState {
  return { ...state, openRequests: withoutEntry(state.openRequests, correlationId) };
}

/** A request is settled; one that has no answer here was withdrawn. */
export function settleAsk(
  state: CodexState,
  { params }: CodexMessageOf<"serverRequest/resolved">,
): Step {
  const found = [...state.openRequests].find(([, { nativeId }]) => nativeId === params.requestId);
  if (!found) return [state, []];
  const [id, asked] = found;
  return [answerAsk(state, id), [withdrawal(state, id, asked)]];
}

function askPermission(state: CodexState, request: ServerRequest, permission: Permission): Step {
  const { toolName, input, context, toolUseId } = permission;
  const data = {
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    tool_name: toolName,
    tool_input: input,
    ...(Object.keys(context).length > 0 && { context }),
    // What the policy asks about, Codex must not remember.
    ...(request.policy ? { policy: request.policy } : { suggestions: [forSession] }),
  };
  return opened(state, request, { type: "permission", toolName }, (asked, place) =>
    draft("permission_request", { ...asked, ...data }, place),
  );
}

function askQuestion(
  state: CodexState,
  request: ServerRequest,
  questions: ReturnType<typeof questionsFrom>,
): Step {
  const asks = { type: "question", toolName: "question" } as const;
  return opened(state, request, asks, (asked, place) =>
    draft("question_request", { ...asked, questions }, place),
  );
}

type PermissionRequest = CodexMessageOf<
  | "item/commandExecution/requestApproval"
  | "item/fileChange/requestApproval"
  | "item/permissions/requestApproval"
>;

function permissionFrom(state: CodexState, request: PermissionRequest): Permission {
  const { itemId, reason } = request.params;
  const context: JsonObject = reason ? { reason } : {};
  switch (request.method) {
    case "item/commandExecution/requestApproval": {
      const { command, cwd } = request.params;
      const input = { command: unwrapped(command ?? ""), ...(cwd && { cwd }) };
      return { toolName: shellTool, input, context, toolUseId: itemId };
    }
    case "item/fileChange/requestApproval": {
      const { grantRoot } = request.params;
      // The request says nothing of the change: it came with the item before.
      const changes = changesFrom(state.tools.get(itemId)?.changes ?? []);
      const root = grantRoot ? { grant_root: grantRoot } : {};
      return {
        toolName: patchTool,
        input: { changes },
        context: { ...context, ...root },
        toolUseId: itemId,
      };
    }
    case "item/permissions/requestApproval": {
      const { permissions, cwd } = request.params;
      const place = cwd ? { cwd } : {};
      return {
        toolName: "request_permissions",
        input: permissions,
        context: { ...context, ...place },
        toolUseId: undefined,
      };
    }
  }
}

type Asked = { correlation_id: string };

function opened(
  state: CodexState,
  request: ServerRequest,
  { type, toolName }: Pick<OpenRequest, "type" | "toolName">,
  event: (asked: Asked, place: ReturnType<typeof placeOf>) => EventDraft,
): Step {
  const { id, correlation_id = String(id) } = request;
  const itemPlace = itemPlaceOf(request);
  const openRequests = withEntry(state.openRequests, correlation_id, {
    nativeId: id,
    type,
    toolName,
    itemPlace,
  });
  return [{ ...state, openRequests }, [event({ correlation_id }, placeIn(state, itemPlace))]];
}

function itemPlaceOf({ params }: ServerRequest): ItemPlace {
  return { threadId: params.threadId, turnId: params.turnId ?? "" };
}

function placeIn(state: CodexState, itemPlace: ItemPlace | undefined): ReturnType<typeof placeOf> {
  return itemPlace ? placeOf(state, itemPlace) : {};
}

function withdrawal(
  state: CodexState,
  id: string,
  { type, toolName, itemPlace }: OpenRequest,
): EventDraft {
  const permission = type === "permission" && { tool_name: toolName, allowed: false };
  const ending = { id, outcome: "cancelled", ...permission } as const;
  return resolutionDraft(type, ending, placeIn(state, itemPlace));
}
