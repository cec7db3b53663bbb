import { explanation, type ComponentFailure, type ComponentPlace } from "@turnwire/client/binding";
import type { ReactNode } from "react";

/** Stands where a component cannot be shown, and explains why. */
export function ComponentFallback(failure: ComponentFailure): ReactNode {
  return (
    <p role="note" data-turnwire-problem={failure.problem}>
      {explanation(failure)}
    </p>
  );
}

/** Stands where a component is on its way. */
export function ComponentLoading({ name }: ComponentPlace): ReactNode {
  return <p role="status" data-turnwire-loading={name}>{`Loading “${name}” …`}</p>;
}
