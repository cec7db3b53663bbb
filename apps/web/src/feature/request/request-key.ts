/** What a key does to the card that has the focus. */
export type RequestKey = "allow" | "always" | "edit" | "deny" | "leave";

interface KeyPress {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly repeat: boolean;
}

const keys: Readonly<Record<string, RequestKey>> = {
  y: "allow",
  a: "always",
  e: "edit",
  n: "deny",
  escape: "leave",
};

/** A key that is held down counts once: the next card must not be answered by it. */
export function requestKeyFrom(press: KeyPress): RequestKey | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.repeat) return undefined;
  const key = press.key.toLowerCase();
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}
