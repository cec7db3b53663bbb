import { parentPort } from "node:worker_threads";
import { errorText } from "@turnwire/base";
import { evaluate, type Question } from "./evaluation.ts";
import type { Reply } from "./evaluator.ts";

const port = parentPort;
if (!port) throw new Error("evaluation-worker.ts runs in a worker thread only");
const reply = (message: Reply): void => port.postMessage(message);

port.on("message", (question: Question) => {
  try {
    reply({ type: "answer", answer: evaluate(question) });
  } catch (error) {
    reply({ type: "failure", message: errorText(error) });
  }
});
reply({ type: "ready" });
