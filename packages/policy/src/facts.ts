export interface DirectoryEntry {
  readonly name: string;
  readonly type: "file" | "directory" | "link";
}

/** The facts of the machine for the evaluator, which reads nothing by itself. */
export interface Facts {
  /** Where the command starts; absolute. */
  readonly cwd: string;
  /** Directories in which agents may work; absolute. */
  readonly roots: readonly string[];
  readonly home?: string | undefined;
  /** The real path of what exists, undefined for what does not exist; throws where it cannot be known. */
  readonly realPath: (path: string) => string | undefined;
  /**
   * The entries of a directory, undefined for anything else; throws where they cannot be known.
   * Without this function nothing is known of what globs and recursive programs find.
   */
  readonly entries?: ((directory: string) => readonly DirectoryEntry[] | undefined) | undefined;
  /** No one is there to be asked: `ask` becomes `deny`. */
  readonly isUnattended?: boolean | undefined;
}
