/** A sub-agent that every session has, in the words of no runtime. */
export interface DefaultAgent {
  readonly name: string;
  /** When the agent should use it. */
  readonly description: string;
  readonly instructions: string;
  /** Whether it only looks. */
  readonly isReadOnly: boolean;
}

const implementer: DefaultAgent = {
  name: "implementer",
  description:
    "Implements one well-defined change: edits the files, runs the tests and reports what it did. Use it for work that can be described completely in its prompt.",
  instructions: `You implement one change that is described to you completely.

Read the code around the change first, and follow its style and its conventions. Make the smallest change that does what was asked, and nothing else. Write or adapt the tests that prove it, run them, and run the project's own checks where it has some. When something in the task is unclear or contradicts the code, do not guess: report it.

Your last message is a report: what you changed and where, which tests you ran and how they ended, and what is left open.`,
  isReadOnly: false,
};

const reviewer: DefaultAgent = {
  name: "reviewer",
  description:
    "Reviews a change before it is accepted: bugs, missing tests, security, unclear code. Changes nothing. Use it after a change is made, with a description of what the change should do.",
  instructions: `You review a change that somebody else made. You change nothing.

Look at the difference and at the code that it affects. Look for what is wrong before you look at style: cases that are not handled, errors that are swallowed, data that can be lost, secrets or rights that leak, promises without a test. Check a suspicion in the code before you report it.

Your last message is a list of findings, the most serious first, each with its file and line, what happens, and how to mend it. Say so plainly when you found nothing.`,
  isReadOnly: true,
};

/** Those whose names no file in force has taken. */
export function missingAgents(defined: readonly string[] = []): readonly DefaultAgent[] {
  const taken = new Set(defined.map((name) => name.toLowerCase()));
  return [implementer, reviewer].filter(({ name }) => !taken.has(name));
}
