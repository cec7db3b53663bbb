/** What a person can do about an error, by its code. */
const advice: Readonly<Record<string, string>> = {
  turn_lost: "The server stopped while the agent worked. Send the message again to go on.",
  agent_exited: "The agent's process ended. The next message starts it again.",
  agent_failed: "The agent could not go on. The next message starts it again.",
  interrupt_timeout:
    "It did not stop when asked, so it was ended. The next message starts it again.",
  exited: "The agent's process ended. The next message starts it again.",
  spawn_failed:
    "The agent's program could not be started. Is it installed, and on the server's PATH?",
  start_timeout: "The agent took too long to start. Try again; a busy machine may need a moment.",
  not_available: "This runtime cannot be used here. Choose another one for a new session.",
  resume_failed: "The agent has lost this conversation. Start a new session to go on.",
  stalled: "The agent has been silent for too long. Stop the turn and send the message again.",
  overloaded: "The model has too much to do. Wait a minute, then send the message again.",
  rate_limited: "Too many requests. Wait a minute, then send the message again.",
  rate_limit: "Too many requests. Wait a minute, then send the message again.",
  usage_limit_exceeded:
    "The plan's limit is reached. Wait until it resets, or use another account.",
  billing_error: "The account cannot pay for this. Look at its billing page.",
  authentication_failed: "The agent is not logged in. Log in with its own program, then try again.",
  unauthorized: "The agent is not logged in. Log in with its own program, then try again.",
  context_window_exceeded: "The conversation is too long for the model. Compact it, or start anew.",
  error_max_turns: "The agent reached its limit of steps. Tell it to go on.",
  error_max_budget_usd:
    "The budget for this turn is used up. Raise it, or go on with a new message.",
  server_overloaded: "The model has too much to do. Wait a minute, then send the message again.",
  sandbox_error:
    "The agent's sandbox refused something. Choose another permission mode to allow it.",
};

/** The next step after an error; whether trying again may help where nothing better is known. */
export function errorAdvice({ code, retryable }: { code: string; retryable: boolean }): string {
  if (Object.hasOwn(advice, code)) return advice[code] ?? "";
  return retryable
    ? "Sending the message again may help."
    : "Change the message or the session's settings before you try again.";
}
