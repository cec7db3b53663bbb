import { useMessageField } from "../composer/message-field.ts";
import { Icon } from "../../element/icon.tsx";
import { ClearMenu } from "./clear-menu.tsx";
import { OverlayWindow } from "./overlay-window.tsx";
import { SharedDocument } from "./shared-document.tsx";
import { CanvasPlace, PanelPlace, SidebarPlace } from "./surface-place.tsx";
import style from "./surface-place.module.css";
import type { Surfaces } from "./surfaces.ts";

/** Shows what the agent put outside the chat, each in its place. */
export function SurfacePlaces({ surfaces }: { readonly surfaces: Surfaces }) {
  const { canvas, sidebar, panel, overlay } = surfaces.places;
  const field = useMessageField();
  const menu = (name: keyof Surfaces["places"]) => <ClearMenu name={name} surfaces={surfaces} />;
  return (
    <>
      {canvas.count > 0 && <CanvasPlace place={canvas} menu={menu("canvas")} />}
      {sidebar.count > 0 && (
        <SidebarPlace place={sidebar} menu={menu("sidebar")}>
          <SharedDocument />
        </SidebarPlace>
      )}
      {panel.count > 0 && <PanelPlace place={panel} menu={menu("panel")} />}
      {overlay.count > 0 && (
        <OverlayWindow
          ref={overlay.element}
          menu={menu("overlay")}
          isHidden={!overlay.isInSight}
          onClose={overlay.close}
          onLeave={field.focus}
        />
      )}
      <HiddenPlaces surfaces={surfaces} />
    </>
  );
}

const shown = [
  { surface: "canvas", title: "Canvas", icon: "expand" },
  { surface: "sidebar", title: "Sidebar", icon: "panel" },
  { surface: "panel", title: "Panel", icon: "rows" },
  { surface: "overlay", title: "Window", icon: "box" },
] as const;

/** Brings back what was closed, or has no room. */
function HiddenPlaces({ surfaces }: { readonly surfaces: Surfaces }) {
  const hidden = shown.filter(({ surface }) => {
    const { count, isInSight } = surfaces.places[surface];
    return count > 0 && !isInSight;
  });
  if (hidden.length === 0) return null;
  return (
    <div
      className={`flow gap-2 ${style.hidden}`}
      role="group"
      aria-label="Hidden places of the agent"
    >
      {hidden.map(({ surface, title, icon }) => {
        const { count, focus } = surfaces.places[surface];
        return (
          <button
            key={surface}
            type="button"
            title={`Show the ${title.toLowerCase()}`}
            onClick={focus}
          >
            <Icon name={icon} size={16} /> {title}{" "}
            <span className="tiny numbers faint">{count}</span>
          </button>
        );
      })}
    </div>
  );
}
