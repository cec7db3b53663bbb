import {
  limits,
  type CapabilityName,
  type CommandOf,
  type ContentBlock,
  type Control,
  draft,
  type EventData,
  jsonSize,
  type MessageCommand,
  type MessageContent,
  rejected,
} from "@turnwire/protocol";
import type { Decision, DecisionContext } from "./decide.ts";
import { waitsForBudget } from "./budget-due.ts";

/** A message starts a turn, waits for the running one, or joins it. `callback` is what it comes from, if not from words. */
export function decideMessage(
  control: Control,
  command: MessageCommand,
  context: DecisionContext,
  callback?: EventData<"user_message">["callback"],
): Decision {
  const content = contentBlocks(command.content);
  const review = command.type === "user_message" ? command.review : undefined;
  const refusal = review && refuseReview(control, command);
  if (refusal) return refusal;
  const missing = missingCapability(control, content);
  if (missing) {
    return rejected("capability_missing", `This runtime does not accept ${missing}.`, {
      capability: missing,
    });
  }
  const wish = command.type === "steer" ? "steer" : command.delivery;
  const message = {
    message_id: context.messageId,
    ...(command.client_message_id !== undefined && {
      client_message_id: command.client_message_id,
    }),
    ...(command.context !== undefined && { context: command.context }),
    ...(command.type === "user_message" &&
      command.is_unattended && { is_unattended: true as const }),
    content,
    ...(callback && { callback }),
    ...(review && { review }),
    by: context.by,
  };
  if (wish === "steer") {
    if (!control.session.capabilities.steer) {
      return rejected(
        "capability_missing",
        "This runtime cannot be steered: send the message to the queue.",
        {
          capability: "steer",
        },
      );
    }
    if (!control.turn)
      return rejected("turn_not_running", "No turn is running that the message could join.");
    const turnId = control.turn.turn_id;
    const input = {
      turnId,
      messageId: context.messageId,
      content,
      ...(command.context !== undefined && { context: command.context }),
    };
    return {
      ok: true,
      events: [draft("user_message", { ...message, delivery: "steer" }, { turn_id: turnId })],
      effects: [{ type: "steer", input, message }],
    };
  }
  const isBusy = control.turn !== null || control.queue.length > 0;
  const isWaiting = isBusy || waitsForBudget(control, context.now);
  if (wish === "turn" && isBusy) {
    return rejected(
      "turn_running",
      "A turn is already running: stop it first, or send with delivery queue.",
    );
  }
  if (wish === "turn" && isWaiting) {
    return rejected(
      "budget_reached",
      "The session has reached its budget: raise it first, or send with delivery queue.",
    );
  }
  if (control.queue.length >= context.maxQueue) {
    return rejected("queue_full", `The queue is full: ${context.maxQueue} messages are in it.`, {
      limit: context.maxQueue,
    });
  }
  const waiting = control.queue.reduce((sum, { content }) => sum + jsonSize(content).text, 0);
  if (waiting > 0 && waiting + jsonSize(content).text > limits.queueBytes) {
    return rejected("queue_full", `The queue is full: its messages have ${waiting} bytes.`, {
      limit_bytes: limits.queueBytes,
      waiting_bytes: waiting,
    });
  }
  return {
    ok: true,
    events: [draft("user_message", { ...message, delivery: isWaiting ? "queue" : "turn" })],
    effects: [],
  };
}

/** Only what still waits can be taken back; what runs can be stopped. */
export function decideCancellation(
  control: Control,
  { message_id: id }: CommandOf<"cancel_message">,
  { by }: DecisionContext,
): Decision {
  if (control.queue.some((message) => message.message_id === id)) {
    return { ok: true, events: [draft("message_cancelled", { message_id: id, by })], effects: [] };
  }
  if (control.turn?.message_id === id) {
    return rejected("turn_running", "The message's turn is already running: stop it instead.");
  }
  return rejected("not_found", `No message ${id} is queued.`);
}

/** Its commands ask no one, so no policy can judge them. */
function refuseReview(
  { session }: Control,
  command: MessageCommand,
): ReturnType<typeof rejected> | undefined {
  if (!session.capabilities.review) {
    return rejected("capability_missing", "This runtime has no reviews.", { capability: "review" });
  }
  if (session.policy_mode !== undefined) {
    const mode = session.policy_mode;
    return rejected(
      "forbidden",
      `The policy mode ${mode} cannot hold a review, which asks about nothing: choose no policy mode for it.`,
    );
  }
  if (command.type === "user_message" && command.delivery === "steer") {
    return rejected("invalid_request", "A review is a turn of its own: it cannot join another.");
  }
  return undefined;
}

function contentBlocks(content: MessageContent): ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function missingCapability(
  control: Control,
  content: readonly ContentBlock[],
): CapabilityName | undefined {
  const { images, documents } = control.session.capabilities;
  if (!images && content.some((block) => block.type === "image")) return "images";
  if (!documents && content.some((block) => block.type === "document")) return "documents";
  return undefined;
}
