/** Strokes on a grid of 20, drawn for this app. */
const paths = {
  archive: "M3.5 6.5h13M4.5 6.5v9h11v-9M3 3.5h14v3H3zM8 10h4",
  arrow_up: "M10 16V4.5M5 9.5l5-5 5 5",
  arrow_down: "M10 4v11.5M5 10.5l5 5 5-5",
  bell: "M5 13.5V9a5 5 0 0 1 10 0v4.5l1.2 1.5H3.8zM8.3 17.3h3.4",
  box: "M10 2.8 3.5 6v8l6.5 3.2 6.5-3.2V6zM3.5 6l6.5 3.2L16.5 6M10 9.2v8",
  branch:
    "M6 7v6M6 13a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM6 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM14 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM14 7c0 3.5-2.5 4-4.5 4.5S6.5 12.5 6 13",
  agents:
    "M7 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM2.5 16c.3-3 2-4.5 4.5-4.5s4.2 1.5 4.5 4.5M14 6.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM14.2 12.5c1.9.1 3 1.3 3.3 3.5",
  check: "M4 10.5l4 4 8-9",
  chevron_down: "M5 8l5 5 5-5",
  chevron_right: "M8 5l5 5-5 5",
  close: "M5 5l10 10M15 5L5 15",
  columns: "M3 4h14v12H3zM10 4v12",
  copy: "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z",
  display: "M3 4.5h14v9H3zM7.5 16.5h5M10 13.5v3",
  download: "M10 3v9M6 8.5l4 4 4-4M4 16.5h12",
  expand: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  file: "M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4",
  folder: "M2.5 5.5v9a1 1 0 0 0 1 1h13a1 1 0 0 0 1-1v-7a1 1 0 0 0-1-1h-6l-2-2h-5a1 1 0 0 0-1 1Z",
  gauge: "M3.5 14.5a7.5 7.5 0 1 1 13 0M10 12.5l3.2-4.6M9 13a1.2 1.2 0 1 0 2 0",
  globe:
    "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM2.5 10h15M10 2.5c4 4.5 4 10.5 0 15M10 2.5c-4 4.5-4 10.5 0 15",
  keyboard: "M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M7 11.5h6",
  menu: "M3.5 5.5h13M3.5 10h13M3.5 14.5h13",
  moon: "M16.5 11.7A7 7 0 0 1 8.3 3.5a7 7 0 1 0 8.2 8.2Z",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  paperclip:
    "M15.5 9.5l-5.6 5.6a3.2 3.2 0 0 1-4.5-4.5l6-6a2.1 2.1 0 0 1 3 3l-5.9 5.9a1 1 0 0 1-1.5-1.4l5.2-5.2",
  panel: "M3 4h14v12H3zM12.5 4v12",
  pencil: "M4 16l.7-3.2L13.5 4l2.5 2.5-8.8 8.8L4 16ZM11.5 6l2.5 2.5",
  plus: "M10 4v12M4 10h12",
  refresh: "M16 10a6 6 0 1 1-1.8-4.3M16 3v3.5h-3.5",
  relay:
    "M10 10h.01M6.8 13.2a4.5 4.5 0 0 1 0-6.4M13.2 6.8a4.5 4.5 0 0 1 0 6.4M4.3 15.7a8 8 0 0 1 0-11.4M15.7 4.3a8 8 0 0 1 0 11.4",
  rows: "M3 4h14v12H3zM3 10h14",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l4 4",
  shield: "M10 2.8 4 5v4.6c0 3.6 2.5 6.3 6 7.6 3.5-1.3 6-4 6-7.6V5z",
  sidebar: "M3 4h14v12H3zM7.5 4v12",
  sliders: "M3 6h6M13 6h4M3 14h3M10 14h7M11 4v4M8 12v4",
  stop: "M6 6h8v8H6z",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M15.7 4.3l-1.1 1.1M5.4 14.6l-1.1 1.1",
  terminal: "M3 4h14v12H3zM6 8l2.5 2.2L6 12.5M10.5 12.5H14",
  thought: "M7.5 13.5c-2-1-3.3-2.8-3.3-5a5.8 5.8 0 0 1 11.6 0c0 2.2-1.3 4-3.3 5v1.5h-5zM8 17.5h4",
  tool: "M12.5 3.2a4 4 0 0 0-3.8 5.4L3.5 13.8a1.9 1.9 0 0 0 2.7 2.7l5.2-5.2a4 4 0 0 0 5.2-4.7l-2.5 2.2-2.3-.5-.5-2.3 2.3-2.4a4 4 0 0 0-1.1-.4Z",
  trash: "M4 5.5h12M8 5.5V4h4v1.5M5.5 5.5l.7 10.5h7.6l.7-10.5M8.5 8.5v5M11.5 8.5v5",
  undo: "M7 4 3.5 7.5 7 11M3.5 7.5h8a4.5 4.5 0 0 1 0 9H8",
  warning: "M10 3.5 2.8 16h14.4L10 3.5ZM10 8.5v3.5M10 14.2h.01",
} as const;

export type IconName = keyof typeof paths;

/** Decorative: the text or label next to it carries the meaning. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} {...(name === "stop" && { fill: "currentColor" })} />
    </svg>
  );
}
