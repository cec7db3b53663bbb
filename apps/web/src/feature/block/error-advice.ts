import { currentLimits, type RateLimit } from "@turnwire/protocol";
import { resetTime } from "../../element/clock-time.ts";

const again = "Send the message again to continue.";
const nextStarts = "The next message starts it again.";
const wait = "Wait a minute, then send the message again.";
const logIn = "Log in with the agent's own program in a terminal, then send the message again.";

/** What a person can do about an error, by its code: the server's own, Claude's and Codex's. */
const advice: Readonly<Record<string, string>> = {
  turn_lost: `The server stopped while the agent worked. ${again}`,
  agent_exited: `The agent's process ended. ${nextStarts}`,
  agent_failed: `The agent could not continue. ${nextStarts}`,
  workspace_unavailable:
    "This host has not what the agent needs to continue. The conversation continues where its files are.",
  interrupt_timeout: `It did not stop when asked, so it was ended. ${nextStarts}`,

  rate_limit: `Too many requests at once. ${wait}`,
  overloaded: `The model is busy. ${wait}`,
  server_overloaded: `The model is busy. ${wait}`,
  server_error: `The model's service has a problem. ${wait}`,
  internal_server_error: `The model's service has a problem. ${wait}`,
  http_connection_failed: `The model could not be reached. Check the network, then try again.`,
  response_stream_connection_failed: `The model could not be reached. Check the network, then try again.`,
  response_stream_disconnected: `The model's answer broke off. ${again}`,
  response_too_many_failed_attempts: `The model failed to answer several times. ${wait}`,

  authentication_failed: logIn,
  unauthorized: logIn,
  cloud_credential_error: logIn,
  oauth_org_not_allowed: "This organization may not use the agent. Log in with another account.",
  account_on_hold: "The account is on hold. Check it on the vendor's site.",
  verification_required: "The account must be verified first, on the vendor's site.",
  billing_error: "The account cannot be billed for this. Check its billing page.",
  usage_limit_exceeded:
    "The plan's limit is reached. Wait until it resets, or use another account.",

  model_not_found: "This account cannot use the model. Choose another one.",
  context_window_exceeded:
    "The conversation is too long for the model. Compact it, or fork from an earlier message.",
  max_output_tokens: "The answer reached its longest length. Tell the agent to continue.",
  error_max_turns: "The agent reached its limit of steps. Tell it to continue.",
  error_max_budget_usd: "The budget for this turn is used up. A new message has its own.",
  sandbox_error: "The agent's sandbox refused something. Another permission mode may allow it.",
  refusal: "The model refused. Try other words.",
};

/** The next step after an error; for unknown codes, whether to try again. */
export function errorAdvice({ code, retryable }: { code: string; retryable: boolean }): string {
  const known = Object.hasOwn(advice, code) ? advice[code] : undefined;
  if (known !== undefined) return known;
  return retryable
    ? "Sending the message again may help."
    : "Change the message or the session's settings before you try again.";
}

/** The errors of an account that has reached a limit: Claude's and Codex's. */
const limitCodes: ReadonlySet<string> = new Set(["rate_limit", "usage_limit_exceeded"]);

/** The time from which the agent can continue, where the account has reported it; begins with a blank. */
export function resetAdvice(
  { code }: { code: string },
  limits: readonly RateLimit[],
  now: number,
): string {
  if (!limitCodes.has(code)) return "";
  const reached = currentLimits(limits, now).find(({ status }) => status === "reached");
  return reached?.resets_at === undefined
    ? ""
    : ` The ${reached.label} resets ${resetTime(reached.resets_at, now)}.`;
}
