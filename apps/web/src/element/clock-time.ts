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

function formatted(format: Intl.DateTimeFormat, time: string): string {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? "" : format.format(parsed);
}
