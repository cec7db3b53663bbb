import type { SessionView } from "@turnwire/client";
import {
  createSurfaceList,
  interruptLink,
  type InterruptRequest,
  type PlacedComponent as ComponentPlace,
} from "@turnwire/client/binding";
import { interruptComponentId, type Surface as SurfaceName } from "@turnwire/protocol";
import { memo, useMemo, type ReactNode } from "react";
import { useRegistry } from "./live-registry.ts";
import { PlacedComponent } from "./placed-component.tsx";
import { useRequests } from "./request.ts";
import { useSessionSelector } from "./session-selector.ts";

export type { SurfaceName };

/**
 * The components on a surface, in the order they appeared. In the chat these are only the ones that represent a part
 * of the shared state: the others are blocks of messages.
 */
export function useSurface(name: SurfaceName): readonly ComponentPlace[] {
  const registry = useRegistry();
  const select = useMemo(() => {
    const list = createSurfaceList((one) => registry.find(one) !== undefined);
    return ({ session }: SessionView) => list(session, name);
  }, [registry, name]);
  return useSessionSelector(select);
}

export interface SurfaceProps {
  readonly name: SurfaceName;
  /** Shown while the surface is empty. */
  readonly fallback?: ReactNode;
  /** Shows only so many, the newest; all by default. */
  readonly newest?: number;
}

/** Shows what the agent has put on a surface. */
export function Surface({ name, fallback = null, newest }: SurfaceProps): ReactNode {
  const all = useSurface(name);
  const components = newest === undefined ? all : all.slice(-newest);
  const requests = useRequests();
  if (components.length === 0) return fallback;
  return components.map((placed) => {
    const { component_id } = placed;
    const interrupt = requests.find(
      (request): request is InterruptRequest =>
        request.type === "interrupt" && interruptComponentId(request.id) === component_id,
    );
    return (
      <SurfaceComponent key={component_id} placed={placed} {...(interrupt && { interrupt })} />
    );
  });
}

interface SurfaceComponentProps {
  readonly placed: ComponentPlace;
  readonly interrupt?: InterruptRequest;
}

const SurfaceComponent = memo(function SurfaceComponent({
  placed,
  interrupt,
}: SurfaceComponentProps): ReactNode {
  const link = useMemo(() => interrupt && interruptLink(interrupt), [interrupt]);
  return <PlacedComponent placed={placed} {...(link && { interrupt: link })} />;
});
