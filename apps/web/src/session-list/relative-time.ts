const steps: readonly (readonly [
  limitMs: number,
  unitMs: number,
  unit: Intl.RelativeTimeFormatUnit,
])[] = [
  [3_600_000, 60_000, "minute"],
  [86_400_000, 3_600_000, "hour"],
  [30 * 86_400_000, 86_400_000, "day"],
  [365 * 86_400_000, 30 * 86_400_000, "month"],
  [Infinity, 365 * 86_400_000, "year"],
];

const format = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "narrow" });

/** "now", "5 min ago", "3 d ago". */
export function relativeTime(time: string, now: Date): string {
  const age = Math.max(0, now.getTime() - Date.parse(time));
  if (age < 60_000) return "now";
  const [, unitMs, unit] = steps.find(([limitMs]) => age < limitMs) ?? [0, 60_000, "minute"];
  return format.format(-Math.floor(age / unitMs), unit);
}
