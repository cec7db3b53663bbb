import { Surface } from "@turnwire/react";
import { useState, type RefObject } from "react";
import { useMessageField } from "../composer/message-field.ts";
import { IconButton } from "../../element/icon-button.tsx";
import { Icon } from "../../element/icon.tsx";
import { OverlayWindow } from "./overlay-window.tsx";
import { ResizeHandle } from "../../element/resize-handle.tsx";
import { MAX_WIDTH, MIN_WIDTH, usePanelWidth } from "./panel-width.ts";
import { SharedDocument } from "./shared-document.tsx";
import style from "./surface-panel.module.css";
import type { Surfaces } from "./surfaces.ts";

/** Shows what the agent put outside the chat. */
export function SurfacePanel({ surfaces }: { readonly surfaces: Surfaces }) {
  const { beside, overlay, hasCanvas } = surfaces;
  const field = useMessageField();
  return (
    <>
      {!beside.isEmpty && (
        <Panel
          ref={beside.element}
          hasCanvas={hasCanvas}
          isHidden={beside.isClosed}
          onClose={beside.close}
        />
      )}
      {!overlay.isEmpty && (
        <OverlayWindow
          ref={overlay.element}
          isHidden={overlay.isClosed}
          onClose={overlay.close}
          onLeave={field.focus}
        />
      )}
      {(beside.isClosed || overlay.isClosed) && (
        <button
          type="button"
          className={style.recall}
          onClick={() => {
            beside.reopen();
            overlay.reopen();
          }}
        >
          <Icon name="panel" size={16} /> From the agent
        </button>
      )}
    </>
  );
}

interface PanelProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly hasCanvas: boolean;
  /** Closed but mounted: what was written in it stays. */
  readonly isHidden: boolean;
  readonly onClose: () => void;
}

/** Beside the conversation if there is room, else a sheet over its lower part. */
function Panel({ ref, hasCanvas, isHidden, onClose }: PanelProps) {
  const [isFull, setFull] = useState(false);
  const [width, setWidth] = usePanelWidth(hasCanvas ? "canvas" : "panel");
  return (
    <aside
      ref={ref}
      className={style.panel}
      aria-label="From the agent"
      hidden={isHidden}
      tabIndex={-1}
      data-canvas={hasCanvas}
      data-full={hasCanvas && isFull}
      style={{ width }}
    >
      <ResizeHandle
        label="Panel width"
        width={width}
        min={MIN_WIDTH}
        max={MAX_WIDTH}
        edge="start"
        onChange={setWidth}
      />
      <header className={style.head}>
        <h2>From the agent</h2>
        {hasCanvas && (
          <IconButton
            icon={isFull ? "columns" : "expand"}
            label={isFull ? "Show beside the conversation" : "Fill the window"}
            onClick={() => setFull(!isFull)}
          />
        )}
        <IconButton icon="close" label="Hide the panel" onClick={onClose} />
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
