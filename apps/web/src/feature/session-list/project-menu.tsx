import { detach } from "@turnwire/base";
import type { Project } from "@turnwire/protocol";
import { useState } from "react";
import { Menu, type MenuItem } from "../../element/menu.tsx";
import { showError, showToast } from "../../element/toast.ts";
import { navigate } from "../navigation/navigation.ts";
import { TrustDialog } from "../trust/trust-dialog.tsx";
import { useListHold } from "./list-hold.ts";
import { useProjects } from "../project/projects.tsx";

interface ProjectMenuProps {
  readonly project: Project;
  readonly className: string | undefined;
}

/** What can be done with a project. */
export function ProjectMenu({ project, className }: ProjectMenuProps) {
  const { canAdd, add, remove } = useProjects();
  const [isTrustOpen, setTrustOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useListHold(isMenuOpen || isTrustOpen);
  const { id, name, path, is_fixed: isFixed, trust } = project;
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
    ...(trust === "none"
      ? []
      : [{ label: "Trust…", icon: "shield" as const, onSelect: () => setTrustOpen(true) }]),
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
  return (
    <>
      <Menu
        label={`Options for ${name}`}
        items={items}
        className={className}
        onOpenChange={setMenuOpen}
      />
      {isTrustOpen && <TrustDialog path={path} onClose={() => setTrustOpen(false)} />}
    </>
  );
}
