import {
  createResolve,
  errorFrom,
  statusOf,
  unsentEntry,
  type ComponentLink,
  type InterruptLink,
  type PlacedComponent as ComponentPlace,
} from "@turnwire/client/binding";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { ComponentBoundary } from "./component-boundary.tsx";
import { useRegistry } from "./live-registry.ts";
import type { AnyComponent } from "./registry.ts";
import { useSession } from "./session-provider.tsx";
import { useTurnwire } from "./turnwire-provider.tsx";

export interface PlacedComponentProps {
  readonly placed: ComponentPlace;
  readonly interrupt?: InterruptLink;
  /** Stands for a tool use whose component cannot be shown. */
  readonly children?: ReactNode;
}

/** A component in its place: parsed, linked to the agent, and unable to break the page. */
export function PlacedComponent(component: PlacedComponentProps): ReactNode {
  const { interrupt, children } = component;
  const { fallback: Fallback, loading: Loading } = useTurnwire();
  const registry = useRegistry();
  const session = useSession();
  const { placed, error } = useWhole(component.placed);
  const { component_id, name, surface } = placed;
  const [resolve] = useState(() => createResolve<AnyComponent>());
  const resolved = useMemo(() => resolve(registry, placed), [resolve, registry, placed]);
  const status = statusOf(placed);
  const link = useMemo<ComponentLink>(
    () => ({
      component_id,
      surface,
      status,
      ...(placed.error !== undefined && { error: placed.error }),
      callback: (action, payload = {}) =>
        session.execute({
          type: "component_callback",
          component_id,
          action,
          payload,
          client_callback_id: session.platform.createId(),
        }),
      unsent: unsentEntry({ sessionId: session.id, componentId: component_id }),
      ...interrupt,
    }),
    [session, component_id, surface, status, placed.error, interrupt],
  );
  const place = { component_id, name, surface };
  if (error) return children ?? <Fallback {...place} problem="broken" error={error} />;
  if (resolved.type === "loading") return <Loading {...place} />;
  if (resolved.type === "failure") return children ?? <Fallback {...resolved.failure} />;
  const { component: Shown, props } = resolved.prepared;
  return (
    <ComponentBoundary
      attempt={resolved}
      renderFailure={(thrown) => <Fallback {...place} problem="broken" error={thrown} />}
    >
      <Shown {...link} props={props} />
    </ComponentBoundary>
  );
}

interface Whole {
  readonly placed: ComponentPlace;
  readonly error?: Error;
}

/** Loads what is stored beside the log; before that the component has a preview, which is not shown. */
function useWhole(placed: ComponentPlace): Whole {
  const session = useSession();
  const [loaded, setLoaded] = useState<Whole & { readonly from: ComponentPlace }>();
  useEffect(() => {
    if (!placed.load) return undefined;
    let isWanted = true;
    const keep = (whole: Whole): void => {
      if (isWanted) setLoaded({ ...whole, from: placed });
    };
    placed.load(session).then(
      (whole) => keep({ placed: whole }),
      (thrown: unknown) => keep({ placed, error: errorFrom(thrown) }),
    );
    return () => {
      isWanted = false;
    };
  }, [session, placed]);
  return placed.load && loaded?.from === placed ? loaded : { placed };
}
