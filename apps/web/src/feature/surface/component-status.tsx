import type { ComponentPlace, ComponentProps } from "@turnwire/react";
import type { ComponentType } from "react";
import { ComponentFrame } from "./component/component-frame.tsx";
import style from "./component-status.module.css";

/** Stands where a component is on its way. */
export function ComponentLoading({ name }: ComponentPlace) {
  return (
    <ComponentFrame>
      <p role="status" className={`soft ${style.loading}`}>
        Loading {name.replaceAll("_", " ")}…
      </p>
    </ComponentFrame>
  );
}

/** A component that also shows how far it has come: more of it comes, or an error has ended it. */
export function withStatus<Props>(Shown: ComponentType<ComponentProps<Props>>) {
  return function ComponentWithStatus(component: ComponentProps<Props>) {
    const { status, error } = component;
    if (status === "ready") return <Shown {...component} />;
    return (
      <div
        aria-busy={status === "loading"}
        className={`stack gap-2 ${style.part}`}
        data-status={status}
      >
        <Shown {...component} />
        {status === "error" && (
          <p className="small bad" role="status">
            {error ?? "The agent could not complete this."}
          </p>
        )}
      </div>
    );
  };
}
