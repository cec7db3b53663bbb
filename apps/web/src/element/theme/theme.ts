import { createStore } from "@turnwire/base";
import { useStore } from "../use-store.ts";

export type Theme = "system" | "light" | "dark";

/** Known to `public/theme-start.js` too. */
const KEY = "turnwire.theme";

function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

const chosen = createStore(chosenTheme());

/** Shows a theme now and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset["theme"];
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(KEY, theme);
  }
  chosen.set(theme);
}

export function useTheme(): Theme {
  return useStore(chosen);
}
