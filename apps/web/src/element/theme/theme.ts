import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

/** Known to `public/theme-start.js` too. */
const KEY = "turnwire.theme";

const listeners = new Set<() => void>();

function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a theme now and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset["theme"];
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(KEY, theme);
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}
