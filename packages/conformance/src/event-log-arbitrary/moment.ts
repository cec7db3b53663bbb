const firstMoment = Date.UTC(2026, 10, 15, 9);

/** When an event of a generated log happened. */
export function momentOf(seq: number): string {
  return new Date(firstMoment + seq).toISOString();
}
