/** A time that runs, steady in width: 7 s, 1:05, 1:02:09. Clocks that disagree never give less than nothing. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
