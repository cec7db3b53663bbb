import type { TrustFinding } from "@turnwire/protocol";

/**
 * Where a runtime looks.
 * own: in the working directory; root: there and in the root of its repository;
 * repository: there and above, up to that root, without a repository only there;
 * project: the same, without a repository in all directories above; all: always in all of them.
 */
export type Reach = "own" | "root" | "repository" | "project" | "all";

/** One place where a runtime looks for configuration. */
export interface ConfigurationRule {
  readonly kind: TrustFinding["kind"];
  /** A file, or with `files` a directory, relative to each directory within reach. */
  readonly path: string;
  readonly reach: Reach;
  /** Whether such a file can run commands or permit them: the digest covers it. */
  readonly canExecute: boolean;
  /** The files of the directory that count, at any depth, by their path inside it. */
  readonly files?: (path: string) => boolean;
  /** What the file defines: by default one thing, named after the file. Throws where the text is malformed. */
  readonly read?: (text: string, path: string) => readonly Definition[];
}

/** One thing that a file defines. */
export interface Definition {
  readonly kind?: TrustFinding["kind"];
  readonly name?: string;
  /** What would run, for people. */
  readonly detail?: string | undefined;
  /** What would run, to find the scripts of the project that it names. */
  readonly command?: string;
}

/** What a runtime reads by itself: of a project that is trusted, and of the person who runs it where that applies. */
export interface ConfigurationSources {
  readonly project: readonly ConfigurationRule[];
  readonly user?: {
    /** Where the person's own files are. */
    readonly directory: string;
    readonly rules: readonly ConfigurationRule[];
  };
}
