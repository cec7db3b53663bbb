import type { RequestProgress } from "@turnwire/client";

/** How a request ended, in words. */
export interface Ending {
  readonly text: string;
  readonly tone: "good" | "bad" | "quiet";
}

interface EndingOptions {
  /** The answer, if there was one. */
  readonly answer: Ending | undefined;
  /** It was answered from another window. */
  readonly isElsewhere: boolean;
}

/** The line that remains of a request. */
export function endingOf(progress: RequestProgress, options: EndingOptions): Ending {
  const { status, outcome = "answered" } = progress;
  const { answer = { text: "Answered", tone: "good" }, isElsewhere } = options;
  switch (outcome) {
    case "answered":
      if (status === "conflict") {
        return { ...answer, text: `${answer.text}: someone else answered first` };
      }
      return isElsewhere ? { ...answer, text: `${answer.text} in another window` } : answer;
    case "cancelled":
      return { text: "Cancelled: the turn ended", tone: "quiet" };
    case "expired":
      return { text: "Expired: no answer in time", tone: "quiet" };
    case "orphaned":
      return { text: "Expired: the agent stopped", tone: "quiet" };
  }
}
