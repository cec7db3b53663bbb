import type { Accepted, RequestProgress } from "@turnwire/client";
import type { JsonObject, JsonValue, Surface } from "@turnwire/protocol";
import type { Component } from "svelte";
import { parseWith, type Parse, type Parsed } from "./parse.ts";

/** What a component of the registry is given, beside its props, to speak with the agent. */
export interface ComponentLink {
  readonly component_id: string;
  readonly surface: Surface;
  /** Tells the agent what a person did here; the turn that runs hears of it, else the next one. */
  readonly callback: (action: string, payload?: JsonObject) => Promise<Accepted>;
  /** Gives an interrupt its value; missing where none waits for one. */
  readonly respond?: (value: JsonValue) => void;
  /** How far the interrupt has come; missing where the component is none. */
  readonly progress?: RequestProgress;
  /** The value that the interrupt was given. */
  readonly value?: JsonValue;
}

/** `props` are apart from the rest, so that nothing an agent sends can pose as ours or Svelte's. */
export interface ComponentProps<Props = JsonObject> extends ComponentLink {
  readonly props: Props;
}

/** One component: what shows it, where it may be, and what makes sure of its props. */
export interface RegistryEntry<Props> {
  readonly component: Component<ComponentProps<Props>>;
  readonly surfaces: readonly Surface[];
  /** A Standard Schema, or a function that throws. */
  readonly parse: Parse<Props>;
}

/** An entry without `parse` takes any JSON object as props. */
export type UncheckedEntry = Omit<RegistryEntry<JsonObject>, "parse"> & {
  readonly parse?: undefined;
};

/** A component whose props are known to be right, whatever they are. */
export interface Prepared {
  readonly component: Component<ComponentProps<unknown>>;
  readonly props: unknown;
}

interface RegisteredComponent {
  readonly surfaces: readonly Surface[];
  readonly prepare: (props: JsonObject) => Parsed<Prepared>;
}

/** The components that an agent may show, by name. */
export interface Registry {
  readonly find: (name: string) => RegisteredComponent | undefined;
  /** All names, or those that may be on a surface. */
  readonly names: (surface?: Surface) => string[];
}

/** Makes a registry; the names are what agents call the components. */
export function createRegistry<Props extends Record<string, unknown>>(entries: {
  readonly [Name in keyof Props]: RegistryEntry<Props[Name]> | UncheckedEntry;
}): Registry {
  const components = new Map<string, RegisteredComponent>();
  for (const name in entries) {
    components.set(name, registered<Props[Extract<keyof Props, string>]>(entries[name]));
  }
  return {
    find: (name) => components.get(name),
    names: (surface) =>
      [...components].flatMap(([name, { surfaces }]) =>
        surface === undefined || surfaces.includes(surface) ? [name] : [],
      ),
  };
}

function registered<Props>(entry: RegistryEntry<Props> | UncheckedEntry): RegisteredComponent {
  // Props go only to the component whose own `parse` made them.
  const component = entry.component as Component<ComponentProps<unknown>>;
  return {
    surfaces: entry.surfaces,
    prepare: (input) => {
      const parsed = entry.parse ? parseWith(entry.parse, input) : valid(input);
      return parsed.isValid ? valid({ component, props: parsed.value }) : parsed;
    },
  };
}

function valid<Value>(value: Value): Parsed<Value> {
  return { isValid: true, value };
}
