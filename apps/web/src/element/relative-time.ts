const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const steps = [
  { limitMs: HOUR_MS, unitMs: MINUTE_MS, unit: "m" },
  { limitMs: DAY_MS, unitMs: HOUR_MS, unit: "h" },
  { limitMs: 30 * DAY_MS, unitMs: DAY_MS, unit: "d" },
  { limitMs: 365 * DAY_MS, unitMs: 30 * DAY_MS, unit: "mo" },
];

/** "now", "5m ago", "3d ago". Not `Intl`: its short forms differ from browser to browser. */
export function relativeTime(time: string, now: Date): string {
  const age = now.getTime() - Date.parse(time);
  if (age < MINUTE_MS) return "now";
  const { unitMs, unit } = steps.find(({ limitMs }) => age < limitMs) ?? {
    unitMs: 365 * DAY_MS,
    unit: "y",
  };
  return `${Math.floor(age / unitMs)}${unit} ago`;
}
