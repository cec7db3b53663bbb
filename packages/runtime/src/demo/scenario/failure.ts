import { RuntimeError } from "../../process/runtime-error.ts";
import type { Scenario } from "./scenario.ts";

export const error: Scenario = {
  name: "error",
  description: "The turn fails, as when the model is overloaded",
  example: "/error",
  async *play(stage) {
    yield* stage.say("Let me think about that");
    yield* stage.send({
      type: "failure",
      code: "overloaded",
      message: "The model is overloaded. Try again in a minute.",
      retryable: true,
    });
    stage.turn.hasFailed = true;
  },
};

export const crash: Scenario = {
  name: "crash",
  description: "The agent dies in the middle of its answer",
  example: "/crash",
  async *play(stage) {
    yield* stage.say("I am about to die in the middle of a sen");
    throw new RuntimeError(
      "exited",
      "The demo agent crashed, as you asked it to. Send a message to continue.",
    );
  },
};

export const unknown: Scenario = {
  name: "unknown",
  description: "Sends a message that this version does not know; it is kept all the same",
  example: "/unknown",
  async *play(stage) {
    yield* stage.send({
      type: "future_hologram",
      payload: { shape: "teapot", note: "from a newer agent" },
    });
    yield* stage.say("I have sent something that has no meaning here. It is in the log.");
  },
};
