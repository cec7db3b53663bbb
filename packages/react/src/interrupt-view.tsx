import { interruptLink, type InterruptRequest } from "@turnwire/client/binding";
import { interruptComponentId, type JsonValue } from "@turnwire/protocol";
import { useMemo, type ReactNode } from "react";
import { PlacedComponent } from "./placed-component.tsx";

export interface InterruptViewProps {
  readonly request: InterruptRequest;
  /** The value that it was given. */
  readonly value?: JsonValue;
}

/** A component that waits for a value, on any surface; once it has ended, it only shows. */
export function InterruptView({ request, value }: InterruptViewProps): ReactNode {
  const { component_name, surface, props } = request.request;
  const interrupt = useMemo(() => interruptLink(request, value), [request, value]);
  return (
    <PlacedComponent
      component_id={interruptComponentId(request.id)}
      name={component_name}
      surface={surface}
      props={props}
      interrupt={interrupt}
    />
  );
}
