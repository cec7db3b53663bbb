/** Thrown where a limit is reached; the answer is `limit`. */
export class LimitReached extends Error {}
