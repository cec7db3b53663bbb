import { isIdle } from "../recording.ts";
import { isOf, type Scripts, turns } from "./script.ts";

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
