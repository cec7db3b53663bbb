import type { ModelInfo } from "@turnwire/protocol";

const running = new Map<string, Promise<readonly ModelInfo[]>>();

/** Reads the models of a Codex home; runtimes that share the home and ask at the same time share the answer. */
export function probeModels(
  home: string,
  read: () => Promise<readonly ModelInfo[]>,
): Promise<readonly ModelInfo[]> {
  const known = running.get(home);
  if (known) return known;
  const reading = read().finally(() => running.delete(home));
  running.set(home, reading);
  return reading;
}
