import { Surface } from "@turnwire/react";
import { useState, type ReactNode } from "react";
import { IconButton } from "../../element/icon-button.tsx";
import { ResizeHandle } from "../../element/resize-handle.tsx";
import { MAX_WIDTH, MIN_WIDTH, usePlaceWidth } from "./place-width.ts";
import style from "./surface-place.module.css";
import type { SurfacePlace } from "./surfaces.ts";

/** An agent may put any number of components somewhere: older ones are not shown. */
const MOST = 100;

interface PlaceProps {
  readonly place: SurfacePlace;
  /** What can be done with the whole place. */
  readonly menu: ReactNode;
}

/** The largest place: a report, a drawing, a document. It can fill the window. */
export function CanvasPlace({ place, menu }: PlaceProps) {
  const [isFull, setFull] = useState(false);
  const [width, setWidth] = usePlaceWidth("canvas");
  return (
    <aside {...frameOf("canvas", place)} data-full={isFull} {...(!isFull && { style: { width } })}>
      <WidthHandle label="Canvas width" width={width} onChange={setWidth} />
      <Head title="Canvas" place={place}>
        <IconButton
          icon={isFull ? "columns" : "expand"}
          label={isFull ? "Show beside the conversation" : "Fill the window"}
          onClick={() => setFull(!isFull)}
        />
        {menu}
      </Head>
      <div className={`stack gap-3 grow ${style.content}`}>
        <div className={style.tiles}>
          <Surface name="canvas" newest={MOST} />
        </div>
      </div>
    </aside>
  );
}

/** A column at the end of the conversation's line. */
export function SidebarPlace({
  place,
  menu,
  children,
}: PlaceProps & { readonly children: ReactNode }) {
  const [width, setWidth] = usePlaceWidth("sidebar");
  return (
    <aside {...frameOf("sidebar", place)} style={{ width }}>
      <WidthHandle label="Sidebar width" width={width} onChange={setWidth} />
      <Head title="Sidebar" place={place}>
        {menu}
      </Head>
      <div className={`stack gap-3 grow ${style.content}`}>
        <Surface name="sidebar" newest={MOST} />
        {children}
      </div>
    </aside>
  );
}

/** Between the conversation and the message field. */
export function PanelPlace({ place, menu }: PlaceProps) {
  return (
    <aside {...frameOf("panel", place)}>
      <Head title="Panel" place={place}>
        {menu}
      </Head>
      <div className={`stack gap-3 grow ${style.content}`}>
        <Surface name="panel" newest={MOST} />
      </div>
    </aside>
  );
}

const labels = { canvas: "Canvas", sidebar: "Sidebar", panel: "Panel" } as const;

/** Out of sight it stays mounted: what was written in it stays. */
function frameOf(name: keyof typeof labels, { element, isInSight }: SurfacePlace) {
  return {
    ref: element,
    className: style.place,
    "aria-label": `${labels[name]} of the agent`,
    "data-place": name,
    hidden: !isInSight,
    tabIndex: -1,
  };
}

interface HeadProps {
  readonly title: string;
  readonly place: SurfacePlace;
  readonly children: ReactNode;
}

function Head({ title, place, children }: HeadProps) {
  return (
    <header className={`row gap-1 rigid ${style.head}`}>
      <h2>
        {title}
        {place.count > MOST && `: the newest ${MOST} of ${place.count.toLocaleString("en")}`}
      </h2>
      {children}
      <IconButton icon="close" label={`Hide the ${title.toLowerCase()}`} onClick={place.close} />
    </header>
  );
}

interface WidthHandleProps {
  readonly label: string;
  readonly width: number;
  readonly onChange: (width: number) => void;
}

function WidthHandle(props: WidthHandleProps) {
  return <ResizeHandle {...props} min={MIN_WIDTH} max={MAX_WIDTH} edge="start" />;
}
