export { codexHome, type CodexHome, type CodexHomeOptions } from "./openai-standin/codex-home.ts";
export {
  attempts,
  type Beat,
  call,
  type Cue,
  cut,
  fail,
  failed,
  gate,
  incomplete,
  item,
  patch,
  type Reply,
  rounds,
  type Scenario,
  summary,
  text,
  thought,
  type TokenUsage,
  usage,
  whole,
} from "./openai-standin/script.ts";
export {
  type OpenaiRequest,
  type OpenaiStandin,
  type OpenaiStandinOptions,
  startOpenaiStandin,
} from "./openai-standin/standin.ts";
