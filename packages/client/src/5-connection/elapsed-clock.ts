/** The sources of a clock: the time of day, which people and NTP set, and a count that only grows. */
export interface TimeSources {
  readonly timeOfDay: () => number;
  readonly monotonic: () => number;
}

/**
 * Milliseconds that never go back: for silence, pauses and limits. Begins with the time of day and
 * grows with whichever source went further: setting the clock back has no effect, and the time that
 * a machine slept counts although some monotonic clocks stop meanwhile.
 */
export function createElapsedClock({ timeOfDay, monotonic }: TimeSources): () => number {
  let day = timeOfDay();
  let count = monotonic();
  let elapsed = day;
  return () => {
    const [nextDay, nextCount] = [timeOfDay(), monotonic()];
    elapsed += Math.max(nextDay - day, nextCount - count, 0);
    day = nextDay;
    count = nextCount;
    return elapsed;
  };
}
