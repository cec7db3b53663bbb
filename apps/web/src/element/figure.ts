/** A duration for people: 0.4 s, 12 s, 3 min 5 s. */
export function durationText(ms: number): string {
  if (ms < 50) return "<0.1 s";
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A rounded number: 940, 1.2k, 3.4M. */
export function countText(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${trimmed(count / 1_000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

/** A size for people: 12 kB, 1.2 MB. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${trimmed(bytes / 1_000_000)} MB`;
}

/** Dollars, with more digits for small amounts. */
export function costText(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}

/** A number and its noun. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

function trimmed(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, "") : value.toFixed(0);
}

/** A running time, of steady width: 7 s, 1:05, 1:02:09. Never negative, even if clocks disagree. */
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
