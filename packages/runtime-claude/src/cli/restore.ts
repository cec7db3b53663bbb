import type { SessionEvent } from "@turnwire/protocol";
import * as z from "zod";
import { isSteerId } from "../transcript/input.ts";
import { claudeNormalizer, type ClaudeState } from "../normalize/normalize.ts";
import type { RequestAnswer } from "@turnwire/runtime";
import { type ControlMessage, controlMessageFrom } from "./control-channel.ts";
import { parsedLine } from "./line.ts";

/** What is known of a CLI from an earlier time, after its lines in the session's log. */
export interface RestoredCli {
  /** The normalizer's state. */
  readonly state: ClaudeState;
  /** The ids of what the CLI has said. */
  readonly known: readonly string[];
  /** What it has asked and was never answered. */
  readonly open: readonly Extract<ControlMessage, { type: "control_request" }>[];
  /** Requests to people by their ids, with the answers that they have. */
  readonly asked: ReadonlyMap<string, RequestAnswer | undefined>;
}

const UserLine = z.object({ type: z.literal("user"), uuid: z.string() });
const Interrupt = z.object({ subtype: z.literal("interrupt") });

/** Reads a session's log up to now. */
export async function restoreCli(past: AsyncIterable<SessionEvent>): Promise<RestoredCli> {
  let state = claudeNormalizer.initial();
  const known: string[] = [];
  const turnIds = new Set<string>();
  const open = new Map<string, Extract<ControlMessage, { type: "control_request" }>>();
  const answered = new Set<string>();
  const asked = new Map<string, RequestAnswer | undefined>();
  const take = (message: unknown): void => {
    [state] = claudeNormalizer.step(state, message);
  };
  for await (const event of past) {
    if (event.type === "turn_started") turnIds.add(event.data.turn_id);
    const request = requestFrom(event);
    if (request) asked.set(request.id, request.answer);
    if (event.type !== "native_line") continue;
    const message = parsedLine(event.data.line);
    const control = controlMessageFrom(message);
    if (event.data.direction === "to_agent") {
      if (control?.type === "control_response") answered.add(control.response.request_id);
      const injected = injectedFor(message, turnIds);
      if (injected) take(injected);
    } else if (control?.type === "control_request") {
      open.set(control.request_id, control);
    } else if (control?.type === "control_cancel_request") {
      answered.add(control.request_id);
    } else if (!control) {
      const uuid = uuidOf(message);
      if (uuid !== undefined) known.push(uuid);
      take(message);
    }
  }
  for (const id of answered) open.delete(id);
  return { state, known, open: [...open.values()], asked };
}

const Identified = z.object({ uuid: z.string().min(1) });

export function uuidOf(message: unknown): string | undefined {
  return Identified.safeParse(message).data?.uuid;
}

/** What the run had put into the stream when it wrote this line. */
function injectedFor(message: unknown, turnIds: ReadonlySet<string>): object | undefined {
  const said = UserLine.safeParse(message).data;
  if (said && turnIds.has(said.uuid)) {
    return { type: "turnwire/turn_sent", turn_id: said.uuid, uuid: said.uuid };
  }
  if (said && isSteerId(said.uuid)) return { type: "turnwire/steer_sent", uuid: said.uuid };
  const control = controlMessageFrom(message);
  const isInterrupt =
    control?.type === "control_request" && Interrupt.safeParse(control.request).success;
  return isInterrupt ? { type: "turnwire/interrupt_sent" } : undefined;
}

function requestFrom(
  event: SessionEvent,
): { readonly id: string; readonly answer?: RequestAnswer } | undefined {
  switch (event.type) {
    case "permission_request":
    case "question_request":
      return { id: event.data.correlation_id };
    case "permission_resolved": {
      const { correlation_id, allowed, message, updated_input, updated_permissions } = event.data;
      const answer: RequestAnswer = {
        type: "permission_response",
        correlation_id,
        behavior: allowed ? "allow" : "deny",
        ...(message !== undefined && { message }),
        ...(updated_input !== undefined && { updated_input }),
        ...(updated_permissions && { updated_permissions }),
      };
      return { id: correlation_id, answer };
    }
    case "question_resolved": {
      const { correlation_id, answers = {} } = event.data;
      return { id: correlation_id, answer: { type: "question_response", correlation_id, answers } };
    }
    default:
      return undefined;
  }
}
