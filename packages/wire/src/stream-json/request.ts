import type { OpenRequest } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { type Line, plainFrame } from "./line.ts";

/** The requests that this wire has a message for; the others wait for another client. */
export type AskedRequest = Extract<
  OpenRequest,
  { type: "permission_request" | "question_request" | "hook_request" }
>;

export function isAsked(request: OpenRequest): request is AskedRequest {
  const { type } = request;
  return type === "permission_request" || type === "question_request" || type === "hook_request";
}

/** The tool whose use is a question; its input holds the questions, and the answers when it is allowed. */
export const QUESTION_TOOL = "AskUserQuestion";

export function requestFrame(request: AskedRequest): Frame {
  return plainFrame(requestLine(request));
}

export function requestLine(request: AskedRequest): Line {
  const { correlation_id: request_id } = request.data;
  return { type: "control_request", request_id, request: bodyOf(request) };
}

/** The request is over, whoever answered it. */
export function cancelFrame(requestId: string): Frame {
  return plainFrame({ type: "control_cancel_request", request_id: requestId });
}

function bodyOf(request: AskedRequest): object {
  switch (request.type) {
    case "permission_request": {
      const { tool_name, tool_input: input, tool_use_id, suggestions = [], context } = request.data;
      return {
        ...context,
        subtype: "can_use_tool",
        tool_name,
        input,
        permission_suggestions: suggestions,
        tool_use_id,
      };
    }
    case "question_request": {
      const { tool_use_id } = request.data;
      const questions = request.data.questions.map(
        ({ question, header = "", multi_select: multiSelect = false, options }) => ({
          question,
          header,
          multiSelect,
          options,
        }),
      );
      const input = { questions };
      return { subtype: "can_use_tool", tool_name: QUESTION_TOOL, input, tool_use_id };
    }
    case "hook_request": {
      const { hook_event: callback_id, hook_input: input, tool_use_id } = request.data;
      return { subtype: "hook_callback", callback_id, input, tool_use_id };
    }
  }
}
