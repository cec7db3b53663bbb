import { Surface, useSurface } from "@turnwire/react";
import style from "./surface-panel.module.css";

/** True while an agent has put something beside the conversation. */
export function useHasPanel(): boolean {
  const panel = useSurface("panel");
  const sidebar = useSurface("sidebar");
  const canvas = useSurface("canvas");
  return panel.length + sidebar.length + canvas.length > 0;
}

/** What the agent shows beside the conversation. */
export function SurfacePanel() {
  return (
    <aside className={style.panel} aria-label="Shown by the agent">
      <Surface name="canvas" />
      <Surface name="panel" />
      <Surface name="sidebar" />
    </aside>
  );
}
