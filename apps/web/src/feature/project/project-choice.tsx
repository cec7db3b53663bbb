import type { Project } from "@turnwire/protocol";
import { CodeWords } from "../../element/code-words.tsx";
import { Icon } from "../../element/icon.tsx";
import style from "./project-choice.module.css";
import { ProjectBranch } from "./project-facts.tsx";
import { ProjectPicker } from "./project-picker.tsx";
import { useProjects } from "./projects.tsx";

interface ProjectChoiceProps {
  readonly project: Project | undefined;
  readonly onChoose: (project: Project) => void;
  /** Whether the picker is open. */
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  /** What is wrong with the choice. */
  readonly problem: string | undefined;
}

/** Where the agent works: always the real path, and a picker to choose another. */
export function ProjectChoice(props: ProjectChoiceProps) {
  const { project, onChoose, isOpen, onOpen, problem } = props;
  const { isLoaded, problem: loadProblem } = useProjects();
  const shown = problem ?? loadProblem ?? unavailable(project);
  return (
    <div className={style.place}>
      <button
        type="button"
        className={`row gap-2 small soft ${style.button}`}
        aria-haspopup="dialog"
        aria-describedby={shown === undefined ? undefined : "project-problem"}
        data-empty={isLoaded && project === undefined}
        onClick={() => onOpen(true)}
      >
        <Icon name="folder" size={16} />
        <span className="visually-hidden">Project</span>
        {project ? (
          <>
            <span className={`rigid cut medium ink ${style.name}`}>{project.name}</span>
            <bdi className={`shrink cut tiny mono faint ${style.path}`}>{project.display_path}</bdi>
            <ProjectBranch {...(project.git && { git: project.git })} />
          </>
        ) : (
          <span className={`rigid cut medium ink ${style.name}`}>
            {isLoaded ? "Choose a folder…" : "Loading…"}
          </span>
        )}
        <Icon name="chevron_down" size={12} />
      </button>
      <div role="alert">
        {shown !== undefined && (
          <p id="project-problem" className={`small bad ${style.problem}`}>
            <CodeWords text={shown} />
          </p>
        )}
      </div>
      {isOpen && (
        <ProjectPicker
          onClose={() => onOpen(false)}
          onChoose={(chosen) => {
            onChoose(chosen);
            onOpen(false);
          }}
        />
      )}
    </div>
  );
}

function unavailable(project: Project | undefined): string | undefined {
  if (!project || project.is_available) return project?.warning;
  return project.problem ?? `${project.display_path} cannot be opened.`;
}
