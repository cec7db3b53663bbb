export { createProjectFile, ProjectRecord, type ProjectStore } from "./project/project-store.ts";
export { Projects, type ProjectSettings } from "./project/projects.ts";
export { isProjectPolicy } from "./trust/project-policy.ts";
export { createTrustFile } from "./trust/trust-file.ts";
export { createMemoryTrust, TrustRecord, type TrustStore } from "./trust/trust-store.ts";
export { type Assessment, TrustedDirectories } from "./trust/trusted-directories.ts";
export {
  isInsideAny,
  openDirectory,
  realDirectories,
  realDirectory,
} from "./project/working-directory.ts";
export { allSessions } from "./worktree/all-sessions.ts";
export { worktreeRule } from "./worktree/worktree-settings.ts";
export { Worktrees, type WorktreeSettings } from "./worktree/worktrees.ts";
