import { Surface } from "@turnwire/react";
import { useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { IconButton } from "../../element/icon-button.tsx";
import style from "./overlay-window.module.css";

interface Place {
  readonly x: number;
  readonly y: number;
}

interface OverlayWindowProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly menu: ReactNode;
  /** Closed but mounted: what was written in it stays. */
  readonly isHidden: boolean;
  readonly onClose: () => void;
  /** Closed by key: the focus has to go somewhere. */
  readonly onLeave: () => void;
}

const STEP = 32;

const steps: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

/**
 * What the agent shows over the conversation. It is not modal: what is below stays readable,
 * so it can be dragged, moved by arrow keys, or reduced to its title.
 */
export function OverlayWindow({ ref, menu, isHidden, onClose, onLeave }: OverlayWindowProps) {
  const [place, setPlace] = useState<Place>({ x: 0, y: 0 });
  const [isAside, setAside] = useState(false);
  const start = useRef<{ readonly pointer: Place; readonly place: Place }>(undefined);
  const moveBy = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    setPlace({ x: place.x + step.x, y: place.y + step.y });
  };
  return (
    <section
      ref={ref}
      role="dialog"
      aria-label="From the agent"
      className={style.window}
      hidden={isHidden}
      tabIndex={-1}
      data-aside={isAside}
      style={isAside ? {} : { translate: `${place.x}px ${place.y}px` }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
        onLeave();
      }}
    >
      <header className={`row gap-1 rigid ${style.head}`}>
        <div
          role="button"
          className={`grow small medium soft ${style.grip}`}
          tabIndex={0}
          aria-label="From the agent: arrow keys move this window"
          onKeyDown={moveBy}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            start.current = { pointer: { x: event.clientX, y: event.clientY }, place };
          }}
          onPointerMove={({ clientX, clientY }) => {
            if (!start.current) return;
            const { pointer, place: from } = start.current;
            setPlace({ x: from.x + clientX - pointer.x, y: from.y + clientY - pointer.y });
          }}
          onLostPointerCapture={() => {
            start.current = undefined;
          }}
        >
          From the agent
        </div>
        <IconButton
          icon={isAside ? "arrow_up" : "arrow_down"}
          label={isAside ? "Restore" : "Minimize"}
          onClick={() => setAside(!isAside)}
        />
        {menu}
        <IconButton icon="close" label="Hide" onClick={onClose} />
      </header>
      <div className={`stack gap-3 ${style.content}`} hidden={isAside}>
        <Surface name="overlay" newest={20} />
      </div>
    </section>
  );
}
