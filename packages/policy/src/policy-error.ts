type PolicyErrorCode = "invalid_policy" | "unknown_mode";

/** A policy that cannot be used; `problems` has one sentence for each thing to mend. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  readonly code: PolicyErrorCode;
  readonly problems: readonly string[];

  constructor(code: PolicyErrorCode, problems: readonly string[], cause?: unknown) {
    super(problems.join("; "), { cause });
    this.code = code;
    this.problems = problems;
  }
}
