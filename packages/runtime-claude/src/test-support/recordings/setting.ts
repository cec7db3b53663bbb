import { toolUse } from "@turnwire/conformance/anthropic-standin";
import { isIdle } from "../recording.ts";
import { isOf, type Scripts, turns } from "./script.ts";

const licence = {
  type: "object",
  properties: { licence: { type: "string" } },
  required: ["licence"],
};

/** Only to a subscription does the CLI report its limits. */
const subscription = { CLAUDE_CODE_OAUTH_TOKEN: "dummy", ANTHROPIC_API_KEY: "" };

/** The CLI drops windows that end later than they could. */
const resetsAt = String(Math.round(Date.now() / 1000) + 3600);

const unifiedLimits = {
  "anthropic-ratelimit-unified-status": "allowed_warning",
  "anthropic-ratelimit-unified-reset": resetsAt,
  "anthropic-ratelimit-unified-representative-claim": "five_hour",
  "anthropic-ratelimit-unified-fallback": "available",
  "anthropic-ratelimit-unified-5h-status": "allowed_warning",
  "anthropic-ratelimit-unified-5h-utilization": "0.91",
  "anthropic-ratelimit-unified-5h-reset": resetsAt,
  "anthropic-ratelimit-unified-5h-surpassed-threshold": "0.9",
  "anthropic-ratelimit-unified-7d-status": "allowed",
  "anthropic-ratelimit-unified-7d-utilization": "0.4",
  "anthropic-ratelimit-unified-7d-reset": resetsAt,
};

/** Commands and settings. */
export const settingRecordings: Scripts = {
  compact: {
    play: async (recording) => {
      await recording.turn("hello");
      const from = recording.length;
      recording.command("/compact");
      await recording.until(isIdle, from);
      await recording.turn("again");
    },
  },
  "slash-commands": { play: turns("/context", "/compact", "/clear", "hello") },
  "set-model-and-mode": {
    play: async (recording) => {
      await recording.turn("hello");
      await recording.query.setModel("claude-haiku-5-5");
      await recording.query.setPermissionMode("acceptEdits");
      await recording.turn("again");
    },
  },
  "structured-output": {
    options: {
      sdk: { outputFormat: { type: "json_schema", schema: licence } },
      standin: {
        scenarios: { licence: () => [toolUse("StructuredOutput", { licence: "MIT" })] },
      },
    },
    play: turns("SCENARIO:licence"),
  },
  "rate-limits": {
    options: { env: subscription, standin: { headers: unifiedLimits } },
    play: turns("hello"),
  },
  "prompt-suggestion": {
    options: {
      env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "1" },
      sdk: { promptSuggestions: true },
    },
    play: async (recording) => {
      await recording.turn("hello");
      await recording.turn("again");
      await recording.turn("once more");
      await recording.until(isOf("prompt_suggestion"));
    },
  },
};
