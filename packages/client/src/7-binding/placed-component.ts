import type { JsonObject, JsonValue, Surface } from "@turnwire/protocol";
import type { ComponentFailure } from "./component-failure.ts";
import type { ComponentLink, Prepared, Registry } from "./component-registry.ts";
import type { SessionRequest } from "./session-request.ts";

/** A component and the place the agent gave it. */
export interface PlacedComponent {
  readonly component_id: string;
  readonly name: string;
  readonly surface: Surface;
  readonly props: JsonObject;
}

/** What an interrupt has beside other components. */
export type InterruptLink = Pick<ComponentLink, "respond" | "progress" | "value">;

/** What to show in a place: the component with its props, or why not. */
export type ResolvedComponent<ComponentType> =
  | { readonly type: "component"; readonly prepared: Prepared<ComponentType> }
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
  const prepared = found.prepare(props);
  if (!prepared.isValid) return fail("invalid", prepared.error);
  return { type: "component", prepared: prepared.value };
}

/** What a component that shows an interrupt is linked with. */
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
