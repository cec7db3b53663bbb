import * as z from "zod";

/** Where a path may be typed: absolute, or in the home directory by `~`. */
const TypedPath = z.string().min(1).max(4096);

export const ProjectTrust = z
  .enum(["trusted", "untrusted", "changed", "none"])
  .describe(
    "Whether the directory's own settings are used: `trusted`; `untrusted`; `changed`: trusted once, but what it can execute has changed since; `none`: there is nothing to trust.",
  );
export type ProjectTrust = z.infer<typeof ProjectTrust>;

/** Facts that git has about a directory. */
export const ProjectGit = z.object({
  branch: z.string().optional().describe("The branch; absent: a commit is checked out."),
  is_dirty: z
    .boolean()
    .optional()
    .describe("Whether files in it have changes that are not committed; absent: not known."),
  worktree_of: z
    .string()
    .optional()
    .describe("The main working tree, when the directory is in a linked one."),
});
export type ProjectGit = z.infer<typeof ProjectGit>;

/** A directory in which sessions can be created. */
export const Project = z
  .object({
    id: z.string().describe("The project's id; the same path always has the same id."),
    path: z.string().describe("The real, absolute path."),
    name: z.string().describe("The last part of the path."),
    display_path: z.string().describe("The path for people: `~/…` inside the home directory."),
    is_available: z.boolean().describe("Whether it is a directory that can be opened now."),
    problem: z.string().optional().describe("Why it is not available."),
    warning: z.string().optional().describe("What to know before an agent works there."),
    is_fixed: z
      .boolean()
      .describe("Whether the server was started with it: then it cannot be removed."),
    git: ProjectGit.optional().describe("Absent: no repository, no git, or not known yet."),
    trust: ProjectTrust,
    added_at: z.iso.datetime().optional().describe("When it was added."),
  })
  .meta({ id: "Project" });
export type Project = z.infer<typeof Project>;

/** The answer of `GET /projects`. */
export const ProjectList = z.object({
  projects: z
    .array(Project)
    .describe("The server's own directories first, then the newest addition first."),
  can_add: z.boolean().describe("Whether `POST /projects` is possible for who asked."),
  home: z
    .string()
    .optional()
    .describe(
      "For who can add: where a picker begins. The home directory, or the first of the server's roots.",
    ),
});
export type ProjectList = z.infer<typeof ProjectList>;

/** The body of `POST /projects`. */
export const AddProject = z.object({
  path: TypedPath.describe("A directory: an absolute path, or one that begins with `~`."),
});
export type AddProject = z.infer<typeof AddProject>;

/** The query of `GET /directories`. */
export const DirectoryQuery = z.object({
  path: TypedPath.optional().describe(
    "The directory to look into: an absolute path, or one that begins with `~`. Without it, where a picker begins.",
  ),
});
export type DirectoryQuery = z.infer<typeof DirectoryQuery>;

/** The answer of `GET /directories`: the directories in a directory. */
export const DirectoryList = z.object({
  path: z.string().describe("The real path of the directory."),
  parent: z.string().optional().describe("The directory above; absent where there is none to see."),
  entries: z
    .array(
      z.object({
        name: z.string().describe("The name in the directory."),
        path: z.string().describe("The real path; of a link, what it leads to."),
        is_git: z.boolean().describe("Whether it is the top of a git working tree."),
        is_hidden: z.boolean().describe("Whether its name begins with a dot."),
      }),
    )
    .describe("The directories in it by name, hidden ones last."),
  is_truncated: z.boolean().describe("Whether there are more than are listed."),
});
export type DirectoryList = z.infer<typeof DirectoryList>;

/** The project that a directory belongs to: the innermost of those around it. */
export function projectOf<Candidate extends Pick<Project, "path">>(
  projects: readonly Candidate[],
  directory: string | undefined,
): Candidate | undefined {
  if (directory === undefined) return undefined;
  return projects
    .filter(({ path }) => isWithin(directory, path))
    .toSorted((left, right) => right.path.length - left.path.length)[0];
}

function isWithin(path: string, directory: string): boolean {
  return (
    path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`)
  );
}
