import {
  createRegistry as createRegistryOf,
  type ComponentProps,
  type RegistryEntry as EntryOf,
  type Registry as RegistryOf,
  type UncheckedEntry as UncheckedEntryOf,
} from "@turnwire/client/binding";
import type { ComponentType } from "react";

/** One component: what shows it, where it may be, and what makes sure of its props. */
export interface RegistryEntry<Props> extends EntryOf<
  ComponentType<ComponentProps<Props>>,
  Props
> {}

/** An entry without `parse`: its component takes any JSON object. */
export interface UncheckedEntry extends UncheckedEntryOf<ComponentType<ComponentProps>> {}

export type AnyComponent = ComponentType<ComponentProps<unknown>>;

/** The components that an agent may show, by name. */
export interface Registry extends RegistryOf<AnyComponent> {}

/** Makes a registry; the names are what agents call the components. */
export function createRegistry<Props extends Record<string, unknown>>(entries: {
  readonly [Name in keyof Props]: RegistryEntry<Props[Name]> | UncheckedEntry;
}): Registry {
  // Each is a component of React, and gets only props that its own `parse` has made.
  return createRegistryOf<unknown>(entries) as Registry;
}
