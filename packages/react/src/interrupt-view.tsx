import { interruptComponentId, type JsonValue } from "@turnwire/protocol";
import { useMemo, type ReactNode } from "react";
import { PlacedComponent } from "./placed-component.tsx";
import type { InterruptRequest } from "./session-request.ts";

export interface InterruptViewProps {
  readonly request: InterruptRequest;
  /** The value that it was given. */
  readonly value?: JsonValue;
}

/** A component that waits for a value, on any surface; once it has ended, it only shows. */
export function InterruptView({
  request: { id, request, progress, respond },
  value,
}: InterruptViewProps): ReactNode {
  const isOpen = progress.outcome === undefined;
  const interrupt = useMemo(
    () => ({
      progress,
      ...(isOpen && { respond: (given: JsonValue) => respond({ value: given }) }),
      ...(value !== undefined && { value }),
    }),
    [progress, respond, isOpen, value],
  );
  return (
    <PlacedComponent
      component_id={interruptComponentId(id)}
      name={request.component_name}
      surface={request.surface}
      props={request.props}
      interrupt={interrupt}
    />
  );
}
