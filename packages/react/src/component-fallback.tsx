import { explanation, type ComponentFailure } from "@turnwire/client/binding";
import type { ReactNode } from "react";

/** Stands where a component cannot be shown, and explains why. */
export function ComponentFallback(failure: ComponentFailure): ReactNode {
  return (
    <p role="note" data-turnwire-problem={failure.problem}>
      {explanation(failure)}
    </p>
  );
}
