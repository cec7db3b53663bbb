import { useEffect } from "react";
import { usePane } from "./pane.ts";

const NAME = "Turnwire";

let page: string | undefined;
let waiting = 0;

function show(): void {
  const name = page === undefined ? NAME : `${page} · ${NAME}`;
  document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
}

/** Sets the title of the window; the second pane does not change it. */
export function usePageTitle(title: string | undefined): void {
  const { isBeside } = usePane();
  useEffect(() => {
    if (title === undefined || isBeside) return;
    page = title;
    show();
    return () => {
      page = undefined;
      show();
    };
  }, [title, isBeside]);
}

/** Puts the number of waiting sessions before the window's title. */
export function markWaiting(count: number): void {
  waiting = count;
  show();
}
