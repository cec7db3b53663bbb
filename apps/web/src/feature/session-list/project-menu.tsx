import { detach } from "@turnwire/base";
import type { Project } from "@turnwire/protocol";
import { Menu, type MenuItem } from "../../element/menu.tsx";
import { showError, showToast } from "../../element/toast.ts";
import { navigate } from "../navigation/navigation.ts";
import { useProjects } from "../project/projects.tsx";

interface ProjectMenuProps {
  readonly project: Project;
  readonly className: string | undefined;
}

/** What can be done with a project. */
export function ProjectMenu({ project, className }: ProjectMenuProps) {
  const { canAdd, add, remove } = useProjects();
  const { id, name, path, is_fixed: isFixed } = project;
  const takeOut = async (): Promise<void> => {
    await remove(project);
    showToast(`Removed ${name} from the list. Its files and sessions are kept.`, {
      action: { label: "Undo", run: () => detach(add(path), showError) },
    });
  };
  const items: MenuItem[] = [
    {
      label: "New session here",
      icon: "plus",
      onSelect: () => navigate({ type: "home", projectId: id }),
    },
    ...(canAdd && !isFixed
      ? [
          {
            label: "Remove from the list",
            icon: "close" as const,
            onSelect: () => detach(takeOut(), showError),
          },
        ]
      : []),
  ];
  return <Menu label={`Options for ${name}`} items={items} className={className} />;
}
