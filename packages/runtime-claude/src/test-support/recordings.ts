import { agentRecordings } from "./recordings/agent.ts";
import { failureRecordings } from "./recordings/failure.ts";
import { interjectionRecordings } from "./recordings/interjection.ts";
import { requestRecordings } from "./recordings/request.ts";
import { settingRecordings } from "./recordings/setting.ts";
import { toolRecordings } from "./recordings/tool.ts";
import type { Scripts } from "./recordings/script.ts";

/** Every fixture with the conversation that it was recorded from. */
export const recordings: Scripts = {
  ...toolRecordings,
  ...requestRecordings,
  ...agentRecordings,
  ...interjectionRecordings,
  ...failureRecordings,
  ...settingRecordings,
};
