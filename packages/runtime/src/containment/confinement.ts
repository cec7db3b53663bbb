/** The bounds of one command that the kernel keeps. All paths are real and absolute. */
export interface Confinement {
  /** The files that a command can change, besides private temporary ones. */
  readonly writes: "nothing" | "inside" | "everything";
  /** The files that a command can see, besides the programs of the machine. */
  readonly reads: "inside" | "everything";
  readonly network: boolean;
  /** The directories in which the agent works. */
  readonly roots: readonly string[];
  /** Seen as they are, never written: programs outside of the system's directories, the rest of a repository. */
  readonly readable: readonly string[];
  /** Repositories whose `.git` is elsewhere than in a root, such as that of a worktree; written like a root. */
  readonly repositories: readonly string[];
  /** Directories that are empty, private and writable for the command, such as the home directory. */
  readonly emptied: readonly string[];
  /** Existing paths below the roots that stay as they are. */
  readonly fixed: readonly string[];
  /** Directories below the roots that are written, but neither moved nor replaced, such as `.git`. */
  readonly anchored: readonly string[];
  /** Directories that do not exist, and stay empty. */
  readonly absent: readonly string[];
  /** Existing paths that cannot be read, such as secrets. */
  readonly hidden: readonly HiddenPath[];
}

export interface HiddenPath {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** The outer bounds of a policy mode, before it is known which files that concerns. */
export interface ConfinementNeed {
  /** The same for as long as the bounds are. */
  readonly key: string;
  readonly writes: Confinement["writes"];
  readonly reads: Confinement["reads"];
  readonly roots: readonly string[];
  /** Absolute paths that must not be read, wherever they are; some may not exist. */
  readonly secretPaths: readonly string[];
  /** Whether a path below a root must not be read. */
  readonly isSecret: (path: string) => boolean;
  /** Whether a path below a root must not be written. */
  readonly isFixed: (path: string) => boolean;
}

/** Variables with which agents log in; a command has no use for them. */
export const credentialVariables: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_CUSTOM_HEADERS",
  "AWS_ACCESS_KEY_ID",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CODEX_API_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "OPENAI_API_KEY",
  "SSH_AUTH_SOCK",
  "TURNWIRE_STORE",
  "TURNWIRE_TOKEN",
];
