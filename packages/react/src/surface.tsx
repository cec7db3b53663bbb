import type { SessionView } from "@turnwire/client";
import type { InterruptRequest } from "@turnwire/client/binding";
import {
  interruptComponentId,
  type Component,
  type Surface as SurfaceOrChat,
} from "@turnwire/protocol";
import { memo, useCallback, type ReactNode } from "react";
import { InterruptView } from "./interrupt-view.tsx";
import { PlacedComponent } from "./placed-component.tsx";
import { useRequests } from "./request.ts";
import { useSessionSelector } from "./session-selector.ts";

/** A surface outside the chat, whose components are blocks of messages. */
export type SurfaceName = Exclude<SurfaceOrChat, "chat">;

/** The components on a surface, in the order they appeared. */
export function useSurface(name: SurfaceName): readonly Component[] {
  return useSessionSelector(
    useCallback(({ session }: SessionView) => session.surfaces[name], [name]),
  );
}

export interface SurfaceProps {
  readonly name: SurfaceName;
  /** Shown while the surface is empty. */
  readonly fallback?: ReactNode;
}

/** Shows what the agent has put on a surface. */
export function Surface({ name, fallback = null }: SurfaceProps): ReactNode {
  const components = useSurface(name);
  const requests = useRequests();
  if (components.length === 0) return fallback;
  return components.map((component) => {
    const { component_id } = component;
    const interrupt = requests.find(
      (request): request is InterruptRequest =>
        request.type === "interrupt" && interruptComponentId(request.id) === component_id,
    );
    return (
      <SurfaceComponent
        key={component_id}
        component={component}
        {...(interrupt && { interrupt })}
      />
    );
  });
}

interface SurfaceComponentProps {
  readonly component: Component;
  readonly interrupt?: InterruptRequest;
}

const SurfaceComponent = memo(function SurfaceComponent({
  component,
  interrupt,
}: SurfaceComponentProps): ReactNode {
  if (interrupt) return <InterruptView request={interrupt} />;
  return <PlacedComponent {...component} />;
});
