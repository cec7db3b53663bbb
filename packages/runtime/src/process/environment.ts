/** A child's whole environment: what the caller names of ours, and what it adds. Nothing else leaks in. */
export function childEnvironment(
  allow: readonly string[],
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const inherited = allow.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...inherited, ...Object.entries(extra)]);
}
