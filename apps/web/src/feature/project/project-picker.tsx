import type { Project } from "@turnwire/protocol";
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from "react";
import { Button } from "../../element/button.tsx";
import { CodeWords } from "../../element/code-words.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { Icon } from "../../element/icon.tsx";
import { useKeptOrder } from "../../element/kept-order.ts";
import { keyName } from "../../element/key-name.ts";
import { plainError } from "../../element/plain-error.ts";
import { isPath } from "./browse.ts";
import { PickerList } from "./picker-list.tsx";
import { firstPlace, projectRows, rowKey, type PickerRow } from "./picker-row.ts";
import style from "./project-picker.module.css";
import { useProjects } from "./projects.tsx";
import { useBrowsing } from "./use-browsing.ts";
import { useRecentProjects } from "./use-recent-projects.ts";

interface ProjectPickerProps {
  readonly onChoose: (project: Project) => void;
  readonly onClose: () => void;
}

function idOf({ id }: Project): string {
  return id;
}

/**
 * Chooses a project, or makes one of any folder that may be added. Letters filter, arrows choose, Enter opens,
 * a typed or pasted path leads there, Backspace in the empty field goes up.
 */
export function ProjectPicker({ onChoose, onClose }: ProjectPickerProps) {
  const id = useId();
  const { canAdd, add, isLoaded } = useProjects();
  const projects = useKeptOrder(useRecentProjects(), idOf);
  const [query, setQuery] = useState("");
  const [pointed, setPointed] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const [isEntered, setEntered] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Once the window is open: nothing in it can have the focus before.
  useEffect(() => field.current?.focus(), []);
  const browsing = useBrowsing({ query, isAlone: isLoaded && projects.length === 0, canAdd });
  const rows = browsing.isOn ? browsing.rows : projectRows(projects, query, canAdd);
  const place = rows.findIndex((row) => rowKey(row) === pointed);
  const isPointed = place >= 0;
  const index = isPointed ? place : Math.min(firstPlace(rows), Math.max(0, rows.length - 1));
  const pointAt = (next: number): void => {
    const row = rows[next];
    setPointed(row && rowKey(row));
  };
  const shownProblem = problem ?? browsing.problem;
  const type = (text: string): void => {
    setQuery(text);
    setEntered(false);
    setPointed(undefined);
    setProblem(undefined);
  };
  const goTo = (path: string | undefined): void => {
    browsing.open(path);
    type("");
  };
  const use = async (path: string): Promise<void> => {
    setAdding(true);
    setProblem(undefined);
    try {
      onChoose(await add(path));
    } catch (error) {
      setProblem(plainError(error));
    } finally {
      setAdding(false);
    }
  };
  const take = (row: PickerRow | undefined): void => {
    if (row === undefined) {
      // Nothing in the list fits: the path may still lead somewhere.
      if (browsing.isOn && isPath(query.trim())) goTo(query.trim());
    } else if (row.type === "browse") goTo(undefined);
    else if (row.type === "up") goTo(row.path);
    else if (row.type === "folder") goTo(row.entry.path);
    else if (row.project.is_available) onChoose(row.project);
    else setProblem(row.project.problem ?? `${row.project.display_path} cannot be opened.`);
  };
  // Enter takes what the typed text leads to, also where the folders are still on their way.
  const takeEntered = useEffectEvent(() => {
    setEntered(false);
    take(rows[index]);
  });
  const isReady = isEntered && !browsing.isLoading;
  useEffect(() => {
    if (isReady) takeEntered();
  }, [isReady]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[index];
    const up = browsing.isOn && query === "" ? browsing.parent : undefined;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "ArrowDown") pointAt(Math.min(index + 1, rows.length - 1));
    else if (event.key === "ArrowUp") pointAt(Math.max(index - 1, 0));
    else if (event.key === "Enter" && isCommand && browsing.path !== undefined) {
      // Until the person moves to a row, the first one is marked only because the list begins there.
      void use(isPointed && row?.type === "folder" ? row.entry.path : browsing.path);
    } else if (event.key === "Enter") setEntered(true);
    else if (event.key === "Backspace" && up !== undefined) goTo(up);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={browsing.isOn ? "Add a folder" : "Choose a project"} onClose={onClose}>
      <div className="dialog-search row gap-3 rigid faint">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={browsing.isOn ? "Find a folder" : "Find a project"}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={rows.length > 0 ? `${id}-${index}` : undefined}
          aria-describedby={shownProblem === undefined ? undefined : `${id}-problem`}
          placeholder={canAdd ? "Type to filter, or a path such as ~/code/app" : "Type to filter"}
          spellCheck={false}
          autoComplete="off"
          ref={field}
          value={query}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {browsing.isOn && browsing.shownPath !== undefined && (
        <p className={`row gap-2 rigid breaks small mono soft ${style.path}`}>
          <Icon name="folder" size={14} />
          <bdi>{browsing.shownPath}</bdi>
        </p>
      )}
      <div role="alert">
        {shownProblem !== undefined && (
          <p id={`${id}-problem`} className={`small ink ${style.problem}`}>
            <CodeWords text={shownProblem} />
          </p>
        )}
      </div>
      <PickerList id={id} rows={rows} chosen={index} onPoint={pointAt} onTake={take} />
      <p className={`small faint ${style.empty}`} role="status">
        {emptyNote(rows, browsing)}
      </p>
      {browsing.isOn && (
        <footer className={`row gap-3 wrap rigid ${style.foot}`}>
          {projects.length > 0 && <Button onClick={browsing.leave}>Projects</Button>}
          <label className={`row gap-2 grow small soft ${style.hidden}`}>
            <input
              type="checkbox"
              checked={browsing.isHiddenShown}
              onChange={(event) => browsing.showHidden(event.currentTarget.checked)}
            />{" "}
            Hidden folders
          </label>
          <Button
            look="strong"
            disabled={isAdding || browsing.path === undefined}
            title={keyName("Ctrl Enter")}
            onClick={() => {
              if (browsing.path !== undefined) void use(browsing.path);
            }}
          >
            Use this folder
          </Button>
        </footer>
      )}
    </Dialog>
  );
}

function emptyNote(
  rows: readonly PickerRow[],
  { isOn, isLoading, isTruncated, problem }: ReturnType<typeof useBrowsing>,
): string {
  if (!isOn) return rows.length === 0 ? "No projects match." : "";
  if (isLoading) return "Loading…";
  if (isTruncated) return "Not all folders are shown. Type the whole path to reach the others.";
  const hasFolder = rows.some(({ type }) => type === "folder");
  return hasFolder || problem !== undefined ? "" : "No folders here.";
}
