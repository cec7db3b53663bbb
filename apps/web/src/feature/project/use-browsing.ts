import { useState } from "react";
import { browsed, isPath, shownEntries } from "./browse.ts";
import { displayPath, homeDirectory } from "./display-path.ts";
import type { PickerRow } from "./picker-row.ts";
import { useProjects } from "./projects.tsx";
import { useDirectories } from "./use-directories.ts";

interface BrowsingOptions {
  readonly query: string;
  /** There is no project to choose: the file system is all there is. */
  readonly isAlone: boolean;
  readonly canAdd: boolean;
}

interface Browsing {
  /** The picker shows folders, not projects. */
  readonly isOn: boolean;
  readonly rows: readonly PickerRow[];
  /** The directory on show. */
  readonly path: string | undefined;
  readonly shownPath: string | undefined;
  readonly parent: string | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  readonly isTruncated: boolean;
  readonly isHiddenShown: boolean;
  readonly showHidden: (isShown: boolean) => void;
  /** Without a path: where a picker begins. */
  readonly open: (path: string | undefined) => void;
  /** Back to the projects. */
  readonly leave: () => void;
}

/** The file system of the server's machine, one directory at a time. */
export function useBrowsing({ query, isAlone, canAdd }: BrowsingOptions): Browsing {
  const { list: projects, home: start } = useProjects();
  const [current, setCurrent] = useState<{ readonly path: string | undefined }>();
  const [isHiddenShown, showHidden] = useState(false);
  const isOn = canAdd && (isAlone || current !== undefined || isPath(query.trim()));
  const { path: wanted, filter } = browsed(query, current?.path);
  const { list, problem, isLoading } = useDirectories(isOn, wanted);
  const entries = list ? shownEntries(list.entries, { filter, isHiddenShown }) : [];
  const up = filter === "" && list?.parent !== undefined ? list.parent : undefined;
  return {
    isOn,
    rows: [
      ...(up === undefined ? [] : [{ type: "up" as const, path: up }]),
      ...entries.map((entry) => ({ type: "folder" as const, entry })),
    ],
    path: list?.path,
    shownPath: list && displayPath(list.path, homeDirectory(projects, start)),
    parent: list?.parent,
    problem,
    isLoading,
    isTruncated: list?.is_truncated === true,
    isHiddenShown,
    showHidden,
    open: (path) => setCurrent({ path }),
    leave: () => setCurrent(undefined),
  };
}
