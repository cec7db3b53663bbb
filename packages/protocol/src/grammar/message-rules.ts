import { partText } from "../state/complete-message.ts";
import type { SessionEvent, SessionEventOf } from "../event/event.ts";
import { unless, type Broken, type RuleSet } from "./rule.ts";

/** A message is completed once, last of all, and then holds everything its deltas delivered, unless it is retracted. */
export class MessageRules implements RuleSet {
  readonly #delivered = new Map<string, string>();
  readonly #completed = new Set<string>();

  check(event: SessionEvent): Broken[] {
    if (event.type !== "delta" && event.type !== "message_complete") return [];
    const key = JSON.stringify([event.subagent_id, event.data.message_id]);
    const isOpen = !this.#completed.has(key);
    return [
      ...unless(
        isOpen,
        "message_completed_before",
        `${event.type} follows the completion of message ${event.data.message_id}`,
      ),
      ...(event.type === "delta" ? this.#deliver(event, key) : this.#complete(event, key)),
    ];
  }

  #deliver(event: SessionEventOf<"delta">, key: string): Broken[] {
    this.#delivered.set(key, (this.#delivered.get(key) ?? "") + event.data.text);
    return [];
  }

  #complete(event: SessionEventOf<"message_complete">, key: string): Broken[] {
    const { message_id: id, message } = event.data;
    const whole = message.content.map(partText).join("");
    const delivered = this.#delivered.get(key) ?? "";
    this.#completed.add(key);
    this.#delivered.delete(key);
    return unless(
      event.data.retracted === true || whole.includes(delivered.trim()),
      "message_text_missing",
      `message ${id} lacks text that its deltas delivered`,
    );
  }
}
