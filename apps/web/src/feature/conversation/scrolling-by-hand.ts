/** A wheel or a finger moves the list for a while after its last event. */
const AFTERGLOW_MS = 400;

const scrollKeys: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home", " "]);

export interface ByHand {
  readonly isActive: () => boolean;
  /** Movements until now no longer count: the list went where a person sent it since. */
  readonly forget: () => void;
  readonly close: () => void;
}

/** Notices that a person scrolls upwards: by wheel, finger, key, or with a button held down on the scrollbar or a selection. */
export function watchScrollingByHand(scroller: HTMLElement): ByHand {
  let until = 0;
  let isHeld = false;
  /** Movements that no frame has shown yet: on a busy machine that takes longer than the afterglow. */
  const unshown = new Set<number>();
  let movements = 0;
  const extend = (): void => {
    until = performance.now() + AFTERGLOW_MS;
    const movement = ++movements;
    unshown.add(movement);
    // Scroll events come at the beginning of the next frame, before what is asked for here.
    requestAnimationFrame(() => unshown.delete(movement));
  };
  const onWheel = ({ deltaY }: WheelEvent): void => {
    if (deltaY < 0) extend();
  };
  const onKeyDown = ({ key, target }: KeyboardEvent): void => {
    if (scrollKeys.has(key) && !isField(target)) extend();
  };
  const onPointerDown = (): void => {
    isHeld = true;
  };
  const onPointerUp = (): void => {
    isHeld = false;
  };
  // A menu or a drag may keep the end of a press to itself.
  const onPointerMove = ({ buttons }: PointerEvent): void => {
    if (buttons === 0) isHeld = false;
  };
  scroller.addEventListener("wheel", onWheel, { passive: true });
  scroller.addEventListener("touchmove", extend, { passive: true });
  scroller.addEventListener("pointerdown", onPointerDown);
  // Keys scroll the list also while nothing has the focus.
  addEventListener("keydown", onKeyDown);
  addEventListener("pointerup", onPointerUp);
  addEventListener("pointercancel", onPointerUp);
  addEventListener("pointermove", onPointerMove, { passive: true });
  return {
    isActive: () => isHeld || unshown.size > 0 || performance.now() < until,
    forget: () => {
      until = 0;
      unshown.clear();
    },
    close: () => {
      scroller.removeEventListener("wheel", onWheel);
      scroller.removeEventListener("touchmove", extend);
      scroller.removeEventListener("pointerdown", onPointerDown);
      removeEventListener("keydown", onKeyDown);
      removeEventListener("pointerup", onPointerUp);
      removeEventListener("pointercancel", onPointerUp);
      removeEventListener("pointermove", onPointerMove);
    },
  };
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
}
