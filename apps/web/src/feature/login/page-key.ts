import { pageKeyStorage } from "@turnwire/protocol";
import { appRoot } from "../navigation/navigation.ts";

/** Where the login page has put this page's half of the log-in; the other half is a cookie. */
const name = `${pageKeyStorage}${new URL(appRoot).pathname}`;

export function hasPageKey(): boolean {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

export function forgetPageKey(): void {
  localStorage.removeItem(name);
}

/** Calls back when another tab has logged in or out. */
export function onPageKeyChange(listener: (change: "logged_in" | "logged_out") => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key === name || key === null) listener(newValue === null ? "logged_out" : "logged_in");
  });
}
