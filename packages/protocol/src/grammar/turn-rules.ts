import type { SessionEvent, SessionEventOf } from "../event/event.ts";
import { unless, type Broken, type RuleSet } from "./rule.ts";

/** An accepted message starts at most one turn, and none once it is cancelled; turns never overlap and each has one `done`. */
export class TurnRules implements RuleSet {
  readonly #messages = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #turns = new Set<string>();
  #running: string | undefined;

  check(event: SessionEvent): Broken[] {
    if (event.type === "turn_started") return this.#start(event);
    const known = event.turn_id === undefined ? [] : this.#known(event.turn_id);
    if (event.type === "user_message") return [...known, ...this.#accept(event)];
    if (event.type === "message_deferred") {
      return [...known, ...this.#defer(event.data.message_id)];
    }
    if (event.type === "message_cancelled") {
      return [...known, ...this.#cancel(event.data.message_id)];
    }
    if (event.type === "done") return [...known, ...this.#end(event.data.turn_id)];
    if (event.type === "result" || event.type === "rolled_back") {
      const isOver = event.type === "result" || this.#running === undefined;
      return [
        ...known,
        ...(event.turn_id === event.data.turn_id ? [] : this.#known(event.data.turn_id)),
        ...unless(isOver, "rollback_in_turn", `turn ${this.#running} runs during a rollback`),
      ];
    }
    if (event.type !== "session_closed") return known;
    const isOver = this.#running === undefined;
    return [...known, ...unless(isOver, "turn_open_at_close", `turn ${this.#running} has no done`)];
  }

  #known(turnId: string): Broken[] {
    return unless(this.#turns.has(turnId), "turn_unknown", `turn ${turnId} never started`);
  }

  #accept(event: SessionEventOf<"user_message">): Broken[] {
    const { message_id: id, delivery } = event.data;
    const isNew = !this.#messages.has(id);
    const canSteer = delivery !== "steer" || this.#running !== undefined;
    this.#messages.add(id);
    if (delivery !== "steer") this.#waiting.add(id);
    return [
      ...unless(isNew, "message_repeated", `message ${id} came before`),
      ...unless(canSteer, "steer_without_turn", `message ${id} steers, but no turn runs`),
    ];
  }

  #defer(id: string): Broken[] {
    const isSteer = this.#messages.has(id) && !this.#waiting.has(id);
    this.#waiting.add(id);
    return unless(isSteer, "message_not_steering", `no message ${id} was sent to steer a turn`);
  }

  #cancel(id: string): Broken[] {
    const isWaiting = this.#waiting.delete(id);
    return unless(
      isWaiting,
      "message_not_waiting",
      `no message ${id} waits that could be cancelled`,
    );
  }

  #start(event: SessionEventOf<"turn_started">): Broken[] {
    const { turn_id: id, message_id: messageId } = event.data;
    const running = this.#running;
    const isNew = !this.#turns.has(id);
    const isAsked = messageId === undefined || this.#waiting.delete(messageId);
    this.#turns.add(id);
    this.#running = id;
    return [
      ...unless(running === undefined, "turn_overlaps", `turn ${id} starts, ${running} runs`),
      ...unless(isNew, "turn_repeated", `turn ${id} started before`),
      ...unless(isAsked, "message_not_waiting", `no message ${messageId} waits for a turn`),
    ];
  }

  #end(turnId: string): Broken[] {
    const isRunning = this.#running === turnId;
    if (isRunning) this.#running = undefined;
    return unless(isRunning, "turn_not_running", `turn ${turnId} is done but does not run`);
  }
}
