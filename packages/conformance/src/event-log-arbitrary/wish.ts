import * as fc from "fast-check";

/** How often each kind is wished for: turns and what happens in them most. */
const weights = {
  say: 8,
  cancel_message: 2,
  defer_message: 2,
  start_turn: 10,
  start_turn_unasked: 2,
  delta: 16,
  thinking: 4,
  message_complete: 5,
  tool_input_delta: 3,
  tool_start: 5,
  spawn: 3,
  tool_output: 3,
  tool_result: 5,
  ask: 4,
  answer: 3,
  claim: 2,
  grant: 2,
  revoke: 1,
  component_update: 3,
  component_remove: 1,
  component_callback: 1,
  catalog_updated: 1,
  state_snapshot: 1,
  state_delta: 1,
  plan: 1,
  diff: 1,
  usage: 1,
  task: 1,
  mcp_status: 1,
  rate_limits: 1,
  context_usage: 1,
  notice: 1,
  error: 1,
  native: 1,
  native_line: 1,
  compacted: 1,
  session_updated: 1,
  policy_decision: 2,
  result: 2,
  done: 4,
  rolled_back: 2,
};

export type WishKind = keyof typeof weights;

const kinds = Object.keys(weights) as WishKind[];

/** Something a log might do next; what the grammar does not allow at that point is left out. */
export interface Wish {
  readonly kind: WishKind;
  readonly text: string;
  /** Chooses among what there is: agents, tools, requests, surfaces. */
  readonly pick: number;
  readonly flag: boolean;
}

/** Text that breaks line protocols, prototypes and paragraph rules where they can be broken. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.constantFrom("\r", "\n", "\r\n", "\0", "\u2028", "\uFEFF", ":", "data: x", "é", "😀"),
        { maxLength: 4 },
      )
      .map((parts) => parts.join("")),
  },
);

export const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.oneof(...kinds.map((kind) => ({ weight: weights[kind], arbitrary: fc.constant(kind) }))),
  text: hostileText,
  pick: fc.nat(11),
  flag: fc.boolean(),
});
