import type { EventData, SessionEvent, SessionEventOf } from "../event/event.ts";
import {
  isAskedByAgent,
  isRequest,
  isResolution,
  requestId,
  requestKindOf,
  requestKinds,
  type RequestType,
} from "../state/request-kind.ts";
import { unless, type Broken, type RuleSet } from "./rule.ts";

interface Asked {
  readonly type: RequestType;
  readonly turnId: string | undefined;
  claim?: EventData<"tool_call_claimed">;
}

/**
 * Each request has an id of its own and ends in exactly one outcome, before its turn is done; only
 * a request for a larger budget, and what a program asks, stay open after it.
 * A tool call has one claim at a time.
 */
export class RequestRules implements RuleSet {
  readonly #asked = new Set<string>();
  readonly #open = new Map<string, Asked>();

  check(event: SessionEvent): Broken[] {
    if (isRequest(event)) {
      return this.#ask(requestId(event), { type: event.type, turnId: event.turn_id });
    }
    if (isResolution(event)) {
      return this.#resolve(requestId(event), requestKinds[requestKindOf(event)].request);
    }
    return event.type === "tool_call_claimed" ? this.#claim(event) : this.#checkEnds(event);
  }

  #ask(id: string, asked: Asked): Broken[] {
    const isNew = !this.#asked.has(id);
    this.#asked.add(id);
    this.#open.set(id, asked);
    return unless(isNew, "request_repeated", `request ${id} came before`);
  }

  #resolve(id: string, type: RequestType): Broken[] {
    const isOpen = this.#open.get(id)?.type === type;
    if (isOpen) this.#open.delete(id);
    return unless(isOpen, "request_not_open", `no ${type} ${id} is open`);
  }

  #claim({ data, ts }: SessionEventOf<"tool_call_claimed">): Broken[] {
    const id = data.correlation_id;
    const asked = this.#open.get(id);
    if (asked?.type !== "tool_call_request") {
      return unless(false, "request_not_open", `no tool_call_request ${id} is open`);
    }
    const { claim } = asked;
    asked.claim = data;
    const isFree =
      claim === undefined ||
      claim.claim_id === data.claim_id ||
      Date.parse(claim.expires_at) <= Date.parse(ts);
    return unless(isFree, "claim_overlaps", `request ${id} is claimed until ${claim?.expires_at}`);
  }

  #checkEnds(event: SessionEvent): Broken[] {
    if (event.type !== "done" && event.type !== "session_closed") return [];
    const rule = event.type === "done" ? "request_open_at_done" : "request_open_at_close";
    return [...this.#open].flatMap(([id, asked]) =>
      unless(
        event.type === "done" && (asked.turnId !== event.data.turn_id || !isAskedByAgent(asked)),
        rule,
        `request ${id} has no outcome`,
      ),
    );
  }
}
