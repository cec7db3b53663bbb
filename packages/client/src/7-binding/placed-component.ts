import {
  interruptComponentId,
  type Component,
  type ComponentStatus,
  type InterruptBlock,
  type JsonObject,
  type JsonValue,
  type Surface,
} from "@turnwire/protocol";
import type { Session } from "../6-session/session.ts";
import type { ComponentFailure } from "./component-failure.ts";
import type { ComponentLink, Prepared, Registry } from "./component-registry.ts";
import type { SessionRequest } from "./session-request.ts";

type Restoring = Pick<Session, "restore">;

/** A component and the place the agent gave it. */
export interface PlacedComponent {
  readonly component_id: string;
  readonly name: string;
  readonly surface: Surface;
  readonly props: JsonObject;
  /** How far it has come, where that does not stand in its property `status`. */
  readonly status?: ComponentStatus;
  /** Why there is nothing to show; with the status `error`. */
  readonly error?: string;
  /** Where parts of the props are stored beside the log: makes the whole component. */
  readonly load?: (session: Restoring) => Promise<PlacedComponent>;
}

/** A component as the agent placed it. */
export function placedFrom(
  component: Omit<Component, "surface">,
  surface: Surface,
): PlacedComponent {
  const { component_id, name, props, attachments } = component;
  const placed = { component_id, name, surface, props };
  if (!attachments) return placed;
  const load = async (session: Restoring): Promise<PlacedComponent> => ({
    ...placed,
    props: (await session.restore({ props, attachments })).props,
  });
  return { ...placed, load };
}

/** A component that waits for a value, where it was asked for. */
export function placedInterrupt(block: InterruptBlock): PlacedComponent {
  const { component_name: name, surface, props } = block.request;
  const component_id = interruptComponentId(block.interrupt_id);
  const placed = { component_id, name, surface, props };
  if (!block.attachments) return placed;
  const load = async (session: Restoring): Promise<PlacedComponent> => ({
    ...placed,
    props: (await session.restore(block)).request.props,
  });
  return { ...placed, load };
}

/** The additional properties of an interrupt. */
export type InterruptLink = Pick<ComponentLink, "respond" | "progress" | "value">;

/** The content of a place: the component with its props, a component that still loads, or the reason for neither. */
export type ResolvedComponent<ComponentType> =
  | { readonly type: "component"; readonly prepared: Prepared<ComponentType> }
  /** Its props are not complete enough yet for its `parse`. */
  | { readonly type: "loading" }
  | { readonly type: "failure"; readonly failure: ComponentFailure };

export function resolveComponent<ComponentType>(
  registry: Registry<ComponentType>,
  placed: PlacedComponent,
): ResolvedComponent<ComponentType> {
  const { component_id, name, surface, props } = placed;
  const fail = (
    problem: ComponentFailure["problem"],
    error?: Error,
  ): ResolvedComponent<ComponentType> => ({
    type: "failure",
    failure: { component_id, name, surface, problem, ...(error && { error }) },
  });
  const found = registry.find(name);
  if (!found) return fail("unknown");
  if (!found.surfaces.includes(surface)) return fail("misplaced");
  if (placed.load) return { type: "loading" };
  const prepared = found.prepare(props);
  if (prepared.isValid) return { type: "component", prepared: prepared.value };
  return statusOf(placed) === "loading" ? { type: "loading" } : fail("invalid", prepared.error);
}

/** Resolves one component again and again: while more of its props comes, it shows the last that it could take. */
export function createResolve<ComponentType>(): (
  registry: Registry<ComponentType>,
  placed: PlacedComponent,
) => ResolvedComponent<ComponentType> {
  let last:
    | { readonly name: string; readonly resolved: ResolvedComponent<ComponentType> }
    | undefined;
  return (registry, placed) => {
    const resolved = resolveComponent(registry, placed);
    if (resolved.type === "loading" && last?.name === placed.name) return last.resolved;
    last = resolved.type === "component" ? { name: placed.name, resolved } : undefined;
    return resolved;
  };
}

/** How far a component has come: as it was placed, else as its property `status` says. */
export function statusOf({ status, props }: PlacedComponent): ComponentStatus {
  const given = status ?? props["status"];
  return given === "loading" || given === "error" ? given : "ready";
}

/** The link of a component that shows an interrupt. */
export function interruptLink(request: SessionRequest, value?: JsonValue): InterruptLink {
  const { progress } = request;
  return {
    progress,
    ...(request.type === "interrupt" &&
      progress.outcome === undefined && {
        respond: (given: JsonValue) => request.respond({ value: given }),
      }),
    ...(value !== undefined && { value }),
  };
}
