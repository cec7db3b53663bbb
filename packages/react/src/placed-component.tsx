import type { JsonObject, Surface } from "@turnwire/protocol";
import { useMemo, type ReactNode } from "react";
import { ComponentBoundary } from "./component-boundary.tsx";
import type { ComponentFailure } from "./component-fallback.tsx";
import type { ComponentLink } from "./registry.tsx";
import { useSession } from "./session-provider.tsx";
import { useTurnwire } from "./turnwire-provider.tsx";

export interface PlacedComponentProps {
  readonly component_id: string;
  readonly name: string;
  readonly surface: Surface;
  readonly props: JsonObject;
  /** What an interrupt has beside other components. */
  readonly interrupt?: Pick<ComponentLink, "respond" | "progress" | "value">;
}

/** A component in its place: parsed, linked to the agent, and unable to break the page. */
export function PlacedComponent({ interrupt, props, ...place }: PlacedComponentProps): ReactNode {
  const { registry, fallback: Fallback } = useTurnwire();
  const session = useSession();
  const { component_id, name, surface } = place;
  const found = registry.find(name);
  const prepared = useMemo(() => found?.prepare(props), [found, props]);
  const link = useMemo<ComponentLink>(
    () => ({
      component_id,
      surface,
      callback: (action, payload = {}) =>
        session.execute({ type: "component_callback", component_id, action, payload }),
      ...interrupt,
    }),
    [session, component_id, surface, interrupt],
  );
  const fail = (problem: ComponentFailure["problem"], error?: Error): ReactNode => (
    <Fallback {...place} problem={problem} {...(error && { error })} />
  );
  if (!found || !prepared) return fail("unknown");
  if (!found.surfaces.includes(surface)) return fail("misplaced");
  if (!prepared.isValid) return fail("invalid", prepared.error);
  return (
    <ComponentBoundary attempt={prepared} renderFailure={(error) => fail("broken", error)}>
      {prepared.value(link)}
    </ComponentBoundary>
  );
}
