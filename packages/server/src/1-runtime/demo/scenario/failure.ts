import { RuntimeError } from "../../runtime.ts";
import type { Scenario } from "../scenario.ts";

export const crash: Scenario = {
  name: "crash",
  description: "Dies in the middle of its answer, as a real agent process may",
  example: "/crash",
  async *play(stage) {
    yield* stage.say("I am about to die in the middle of a sen");
    throw new RuntimeError("exited", "The demo agent crashed, as you asked. Send another message.");
  },
};
