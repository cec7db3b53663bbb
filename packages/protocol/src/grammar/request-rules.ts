import type { SessionEvent } from "../event.ts";
import type { RequestType } from "../state.ts";
import { unless, type Broken, type RuleSet } from "./rule.ts";

interface Asked {
  readonly type: RequestType;
  readonly turnId: string | undefined;
}

/** Each request has an id of its own and ends in exactly one outcome, before its turn is done. */
export class RequestRules implements RuleSet {
  readonly #asked = new Set<string>();
  readonly #open = new Map<string, Asked>();

  check(event: SessionEvent): Broken[] {
    switch (event.type) {
      case "permission_request":
      case "question_request":
      case "hook_request":
      case "tool_call_request":
        return this.#ask(event.data.correlation_id, { type: event.type, turnId: event.turn_id });
      case "interrupt":
        return this.#ask(event.data.interrupt_id, { type: event.type, turnId: event.turn_id });
      case "permission_resolved":
        return this.#resolve(event.data.correlation_id, "permission_request");
      case "question_resolved":
        return this.#resolve(event.data.correlation_id, "question_request");
      case "hook_resolved":
        return this.#resolve(event.data.correlation_id, "hook_request");
      case "tool_call_resolved":
        return this.#resolve(event.data.correlation_id, "tool_call_request");
      case "interrupt_resolved":
        return this.#resolve(event.data.interrupt_id, "interrupt");
      default:
        return this.#checkEnds(event);
    }
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

  #checkEnds(event: SessionEvent): Broken[] {
    if (event.type !== "done" && event.type !== "session_closed") return [];
    const rule = event.type === "done" ? "request_open_at_done" : "request_open_at_close";
    return [...this.#open].flatMap(([id, { turnId }]) =>
      unless(
        event.type === "done" && turnId !== event.data.turn_id,
        rule,
        `request ${id} has no outcome`,
      ),
    );
  }
}
