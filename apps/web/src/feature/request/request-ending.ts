import type { RequestProgress } from "@turnwire/client";

/** How a request ended, in words. */
export interface Ending {
  readonly text: string;
  readonly tone: "good" | "bad" | "quiet";
}

interface EndingOptions {
  /** What was answered, where it was. */
  readonly answer: Ending | undefined;
  /** This window looked on while another one answered. */
  readonly isElsewhere: boolean;
}

/** The line that stays of a request. */
export function endingOf(progress: RequestProgress, options: EndingOptions): Ending {
  const { status, outcome = "answered" } = progress;
  const { answer = { text: "Answered", tone: "good" }, isElsewhere } = options;
  switch (outcome) {
    case "answered":
      if (status === "conflict") {
        return { ...answer, text: `${answer.text}: somebody was faster than you` };
      }
      return isElsewhere ? { ...answer, text: `${answer.text} in another window` } : answer;
    case "cancelled":
      return { text: "No longer asked: the turn ended", tone: "quiet" };
    case "expired":
      return { text: "Expired: nobody answered in time", tone: "quiet" };
    case "orphaned":
      return { text: "No longer asked: the agent is gone", tone: "quiet" };
  }
}
