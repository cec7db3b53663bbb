import type { Project } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { Icon } from "../../element/icon.tsx";
import style from "./project-facts.module.css";

/** The branch of a project, and whether it has changes that are not committed. */
export function ProjectBranch({ git }: Pick<Project, "git">) {
  if (!git) return null;
  const { branch, is_dirty: isDirty } = git;
  return (
    <BranchName name={branch ?? "detached"} title={branchTitle(git)}>
      {isDirty && <span className={style.dirty} role="img" aria-label="uncommitted changes" />}
    </BranchName>
  );
}

interface BranchNameProps {
  readonly name: string;
  readonly title: string;
  readonly children?: ReactNode;
}

/** The name of a branch with its sign. */
export function BranchName({ name, title, children }: BranchNameProps) {
  return (
    <span className={`inline-row gap-1 shrink tiny faint ${style.branch}`} title={title}>
      <Icon name="branch" size={12} />
      <span className="cut">{name}</span>
      {children}
    </span>
  );
}

function branchTitle({ branch, is_dirty, worktree_of }: NonNullable<Project["git"]>): string {
  return [
    branch === undefined ? "No branch: a commit is checked out" : `Branch ${branch}`,
    ...(is_dirty ? ["uncommitted changes"] : []),
    ...(worktree_of === undefined ? [] : [`worktree of ${worktree_of}`]),
  ].join(", ");
}
