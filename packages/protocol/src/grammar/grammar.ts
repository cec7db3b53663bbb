import type { SessionEvent } from "../event/event.ts";
import { MessageRules } from "./message-rules.ts";
import { OrderRules } from "./order-rules.ts";
import { RequestRules } from "./request-rules.ts";
import type { GrammarRule } from "./rule.ts";
import { ToolRules } from "./tool-rules.ts";
import { TurnRules } from "./turn-rules.ts";

/** One place where a log breaks a rule of PROTOCOL.md §7. */
export interface Violation {
  readonly seq: number;
  readonly rule: GrammarRule;
  readonly message: string;
}

/** Where a log, from its first event, breaks the grammar; empty for a good one. */
export function checkGrammar(events: Iterable<SessionEvent>): Violation[] {
  const grammar = new Grammar();
  const violations: Violation[] = [];
  for (const event of events) violations.push(...grammar.check(event));
  return violations;
}

/** Follows one log from its first event and reports the rules that each event breaks. */
export class Grammar {
  readonly #ruleSets = [
    new OrderRules(),
    new TurnRules(),
    new RequestRules(),
    new MessageRules(),
    new ToolRules(),
  ];

  check(event: SessionEvent): Violation[] {
    const { seq } = event;
    return this.#ruleSets.flatMap((rules) =>
      rules.check(event).map(({ rule, message }) => ({ seq, rule, message })),
    );
  }
}
