import { Icon } from "../../element/icon.tsx";
import { type PickerRow, rowKey } from "./picker-row.ts";
import { ProjectBranch } from "./project-facts.tsx";
import style from "./project-picker.module.css";

interface PickerListProps {
  readonly id: string;
  readonly rows: readonly PickerRow[];
  readonly chosen: number;
  readonly onPoint: (place: number) => void;
  readonly onTake: (row: PickerRow) => void;
}

/** The lines of the picker; the focus stays in its field. */
export function PickerList({ id, rows, chosen, onPoint, onTake }: PickerListProps) {
  const isBrowsing = rows.some(({ type }) => type === "folder" || type === "up");
  return (
    <ul
      id={id}
      role="listbox"
      aria-label={isBrowsing ? "Folders" : "Projects"}
      className={style.list}
    >
      {rows.map((row, place) => (
        <li
          key={rowKey(row)}
          id={`${id}-${place}`}
          ref={(item) => {
            if (place === chosen) item?.scrollIntoView({ block: "nearest" });
          }}
          role="option"
          aria-selected={place === chosen}
          aria-disabled={row.type === "project" && !row.project.is_available}
          className={`row gap-3 small ${style.row}`}
          onMouseMove={() => onPoint(place)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(row)}
        >
          <RowContent row={row} />
        </li>
      ))}
    </ul>
  );
}

function RowContent({ row }: { readonly row: PickerRow }) {
  switch (row.type) {
    case "project": {
      const { name, display_path, git, is_available, problem } = row.project;
      return (
        <>
          <Icon name="folder" size={16} />
          <span className="grow shrink breaks">
            <span className={`row gap-3 medium ${style.name}`}>
              {name} <ProjectBranch {...(git && { git })} />
            </span>
            <small>{is_available ? display_path : (problem ?? "Not available")}</small>
          </span>
        </>
      );
    }
    case "browse":
      return (
        <>
          <Icon name="plus" size={16} />
          <span className="grow shrink breaks">Add a folder…</span>
        </>
      );
    case "up":
      return (
        <>
          <Icon name="arrow_up" size={16} />
          <span className="grow shrink breaks">Up to the parent folder</span>
        </>
      );
    case "folder":
      return (
        <>
          <Icon name="folder" size={16} />
          <span className="grow shrink breaks">{row.entry.name}</span>
          {row.entry.is_git && <small className={style.git}>git</small>}
          <Icon name="chevron_right" size={14} />
        </>
      );
  }
}
