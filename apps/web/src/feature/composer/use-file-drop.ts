import { useEffect, useRef, useState } from "react";
import { usePane } from "../page/pane.ts";

/** Takes files that are dropped anywhere in this pane, which the browser would otherwise open in place of the app. True while they hover. */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const pane = usePane();
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const isHere = ({ target }: DragEvent): boolean =>
      target instanceof Node && pane.contains(target);
    const onDragOver = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(isHere(event));
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      if (isHere(event)) latest.current(files);
    };
    addEventListener("dragover", onDragOver);
    addEventListener("dragleave", onDragLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onDragOver);
      removeEventListener("dragleave", onDragLeave);
      removeEventListener("drop", onDrop);
    };
  }, [pane]);
  return isOver;
}
