import type { HighlightWorker } from "../highlight/highlighter.ts";
import { isHighlightRequest, type HighlightRequest } from "../highlight/message.ts";
import { tokenLinesFrom } from "../highlight/tokenize.ts";

/** A worker in this thread that answers when asked to. */
export class FakeWorker extends EventTarget implements HighlightWorker {
  readonly requests: HighlightRequest[] = [];
  isTerminated = false;

  postMessage(data: unknown): void {
    if (isHighlightRequest(data)) this.requests.push(data);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  /** Answers the newest request as the real worker does. */
  answer(): void {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error("The worker was asked nothing.");
    const lines = tokenLinesFrom(request.code, request.language);
    this.dispatchEvent(new MessageEvent("message", { data: { id: request.id, lines } }));
  }

  fail(): void {
    this.dispatchEvent(new Event("error"));
  }
}
