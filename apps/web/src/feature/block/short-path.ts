import { useSessionSelector } from "@turnwire/react";
import { useMemo } from "react";

/** Removes the session's directory from the paths in a text. */
export function useShortPath(): (text: string) => string {
  const cwd = useSessionSelector((view) => view.session.session.cwd);
  return useMemo(() => (text) => shortPath(text, cwd), [cwd]);
}

export function shortPath(text: string, cwd: string | undefined): string {
  if (cwd === undefined || cwd === "/" || cwd === "") return text;
  return text.replaceAll(`${cwd.replace(/\/$/, "")}/`, "");
}
