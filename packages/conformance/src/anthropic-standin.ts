export {
  attempts,
  type Beat,
  type Cue,
  cut,
  fail,
  gate,
  type Reply,
  rounds,
  type Scenario,
  stop,
  text,
  thinking,
  type TokenUsage,
  toolUse,
  usage,
} from "./anthropic-standin/script.ts";
export {
  type AnthropicStandin,
  type AnthropicStandinOptions,
  startAnthropicStandin,
  type StandinRequest,
} from "./anthropic-standin/standin.ts";
