const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** The time of day; empty where the time is not known. */
export function clockText(time: string): string {
  return formatted(clock, time);
}

/** The full date and time. */
export function dateText(time: string): string {
  return formatted(date, time);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time of a reset in words: of the day alone where that is within a day. */
export function resetTime(time: string, now: number): string {
  return Date.parse(time) - now < DAY_MS ? `at ${clockText(time)}` : `on ${dateText(time)}`;
}

function formatted(format: Intl.DateTimeFormat, time: string): string {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? "" : format.format(parsed);
}
