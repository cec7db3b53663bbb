import type { SessionView } from "@turnwire/client";
import { Surface, useSessionSelector, useSurface } from "@turnwire/react";
import { useMemo, useState } from "react";
import { IconButton } from "../../element/icon-button.tsx";
import { Icon } from "../../element/icon.tsx";
import { useDismissal } from "./dismissal.ts";
import { OverlayWindow } from "./overlay-window.tsx";
import { ResizeHandle } from "./resize-handle.tsx";
import { SharedDocument } from "./shared-document.tsx";
import style from "./surface-panel.module.css";
import { usePanelWidth } from "./panel-width.ts";

const SHARED = "shared";

function hasShared({ session }: SessionView): boolean {
  return session.shared !== null;
}

/** What stands beside the conversation, by id. */
function useBeside(): { readonly ids: readonly string[]; readonly hasCanvas: boolean } {
  const canvas = useSurface("canvas");
  const sidebar = useSurface("sidebar");
  const panel = useSurface("panel");
  const isShared = useSessionSelector(hasShared);
  return useMemo(() => {
    const ids = [...canvas, ...sidebar, ...panel].map(({ component_id }) => component_id);
    return { ids: isShared ? [...ids, SHARED] : ids, hasCanvas: canvas.length > 0 };
  }, [canvas, sidebar, panel, isShared]);
}

/** True while an agent has put something outside the chat. */
export function useHasPanel(): boolean {
  const { ids } = useBeside();
  const overlay = useSurface("overlay");
  return ids.length + overlay.length > 0;
}

/** What the agent shows outside the chat: beside it, and over it. */
export function SurfacePanel() {
  const beside = useBeside();
  const overlay = useSurface("overlay");
  const overlayIds = useMemo(() => overlay.map(({ component_id }) => component_id), [overlay]);
  const panel = useDismissal(beside.ids);
  const window = useDismissal(overlayIds);
  return (
    <>
      {beside.ids.length > 0 && (
        <Panel hasCanvas={beside.hasCanvas} isHidden={panel.isPutAway} onClose={panel.putAway} />
      )}
      {overlay.length > 0 && <OverlayWindow isHidden={window.isPutAway} onClose={window.putAway} />}
      {(panel.isPutAway || window.isPutAway) && (
        <button
          type="button"
          className={style.recall}
          data-surface-recall="true"
          onClick={() => {
            panel.bringBack();
            window.bringBack();
          }}
        >
          <Icon name="panel" size={16} /> Shown by the agent
        </button>
      )}
    </>
  );
}

interface PanelProps {
  readonly hasCanvas: boolean;
  /** Put away, but not forgotten: what was written in it stays. */
  readonly isHidden: boolean;
  readonly onClose: () => void;
}

/** Beside the conversation where there is room, else a sheet over its lower part. */
function Panel({ hasCanvas, isHidden, onClose }: PanelProps) {
  const [isFull, setFull] = useState(false);
  const [width, setWidth] = usePanelWidth(hasCanvas ? "canvas" : "panel");
  return (
    <aside
      className={style.panel}
      aria-label="Shown by the agent"
      hidden={isHidden}
      data-surface="beside"
      tabIndex={-1}
      data-canvas={hasCanvas}
      data-full={hasCanvas && isFull}
      style={{ flexBasis: width }}
    >
      <ResizeHandle width={width} onChange={setWidth} />
      <header className={style.head}>
        <h2>Shown by the agent</h2>
        {hasCanvas && (
          <IconButton
            icon={isFull ? "columns" : "expand"}
            label={isFull ? "Show beside the conversation" : "Fill the window"}
            onClick={() => setFull(!isFull)}
          />
        )}
        <IconButton icon="close" label="Hide what the agent shows" onClick={onClose} />
      </header>
      <div className={style.content}>
        {hasCanvas && (
          <div className={style.canvas}>
            <Surface name="canvas" />
          </div>
        )}
        <Surface name="sidebar" />
        <Surface name="panel" />
        <SharedDocument />
      </div>
    </aside>
  );
}
