/** "0.8 s", "12 s", "2 m 05 s". */
export function durationText(ms: number): string {
  if (ms < 9950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
}

/** "340", "1.2k", "3.4M". */
export function countText(count: number): string {
  if (count < 1000) return String(count);
  const [size, unit] = count < 999_950 ? [1000, "k"] : [1_000_000, "M"];
  return `${(count / size).toFixed(1).replace(/\.0$/, "")}${unit}`;
}

/** "1 tool", "2 tools". */
export function amountText(amount: number, noun: string): string {
  return `${countText(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

/** "$0.012": enough digits to see a small sum. */
export function costText(usd: number): string {
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

/** "just now", "5 min ago", "3 h ago", "12 days ago". */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
