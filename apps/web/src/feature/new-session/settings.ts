/** How the last session was started: the defaults of the next one. */
export interface SessionSettings {
  readonly runtime?: string;
  readonly cwd?: string;
  readonly model?: string;
  readonly permission_mode?: string;
}

const KEY = "turnwire.new-session";
const names = ["runtime", "cwd", "model", "permission_mode"] as const;

/** The saved settings; anything else in the storage is ignored. */
export function loadSettings(storage: Pick<Storage, "getItem"> = localStorage): SessionSettings {
  const kept = parsed(storage.getItem(KEY) ?? "{}");
  if (typeof kept !== "object" || kept === null) return {};
  const entries = Object.entries(kept).filter(
    ([name, value]) => names.some((known) => known === name) && typeof value === "string",
  );
  return Object.fromEntries(entries);
}

export function saveSettings(
  settings: SessionSettings,
  storage: Pick<Storage, "setItem"> = localStorage,
): void {
  storage.setItem(KEY, JSON.stringify(settings));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
