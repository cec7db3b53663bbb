/** Homes in which Codex has answered. */
const used = new Set<string>();
const starts = new Map<string, Promise<unknown>>();

/**
 * Starts Codex in a home; in a fresh one, only after every start before it has been answered or has
 * failed. Two that make the databases of a home at the same moment can both fail ("failed to
 * initialize sqlite state runtime", 0.166.0). `answered` resolves to whether Codex has answered.
 */
export async function firstStart<Started>(
  home: string,
  start: () => Promise<Started>,
  answered: (started: Started) => Promise<boolean> = async () => true,
): Promise<Started> {
  if (used.has(home)) return start();
  const before = starts.get(home);
  const started = Promise.allSettled([before]).then(start);
  const settled = Promise.allSettled([started.then(answered)]).then(([answer]) => {
    if (answer.status === "fulfilled" && answer.value) used.add(home);
    if (starts.get(home) === settled) starts.delete(home);
  });
  starts.set(home, settled);
  return started;
}
