import {
  resolveComponent,
  unsentEntry,
  type ComponentLink,
  type InterruptLink,
  type PlacedComponent as ComponentPlace,
} from "@turnwire/client/binding";
import { useMemo, type ReactNode } from "react";
import { ComponentBoundary } from "./component-boundary.tsx";
import { useSession } from "./session-provider.tsx";
import { useTurnwire } from "./turnwire-provider.tsx";

export interface PlacedComponentProps extends ComponentPlace {
  readonly interrupt?: InterruptLink;
}

/** A component in its place: parsed, linked to the agent, and unable to break the page. */
export function PlacedComponent({ interrupt, props, ...place }: PlacedComponentProps): ReactNode {
  const { registry, fallback: Fallback } = useTurnwire();
  const session = useSession();
  const { component_id, name, surface } = place;
  const resolved = useMemo(
    () => resolveComponent(registry, { component_id, name, surface, props }),
    [registry, component_id, name, surface, props],
  );
  const link = useMemo<ComponentLink>(
    () => ({
      component_id,
      surface,
      callback: (action, payload = {}) =>
        session.execute({ type: "component_callback", component_id, action, payload }),
      unsent: unsentEntry({ sessionId: session.id, componentId: component_id }),
      ...interrupt,
    }),
    [session, component_id, surface, interrupt],
  );
  if (resolved.type === "failure") return <Fallback {...resolved.failure} />;
  const { component: Shown, props: parsed } = resolved.prepared;
  return (
    <ComponentBoundary
      attempt={resolved}
      renderFailure={(error) => <Fallback {...place} problem="broken" error={error} />}
    >
      <Shown {...link} props={parsed} />
    </ComponentBoundary>
  );
}
