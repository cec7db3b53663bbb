import { useEffect } from "react";
import { usePane } from "./pane.ts";

const NAME = "Turnwire";

let page: string | undefined;
let waiting = 0;

function show(): void {
  const name = page === undefined ? NAME : `${page} · ${NAME}`;
  document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
}

/** Names the window after what it shows; a pane at the side leaves the name alone. */
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

/** Puts the number of sessions that wait for a person before the window's name. */
export function markWaiting(count: number): void {
  waiting = count;
  show();
}
