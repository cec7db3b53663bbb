import type { Accepted, RequestProgress } from "@turnwire/client";
import type { JsonObject, JsonValue, Surface } from "@turnwire/protocol";
import type { ComponentType, ReactNode } from "react";
import { parseWith, type Parse } from "./parse.ts";

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

/** `props` are apart from the rest, so that nothing an agent sends can pose as ours or React's. */
export interface ComponentProps<Props = JsonObject> extends ComponentLink {
  readonly props: Props;
}

/** One component: what shows it, where it may be, and what makes sure of its props. */
export interface RegistryEntry<Props> {
  readonly component: ComponentType<ComponentProps<Props>>;
  readonly surfaces: readonly Surface[];
  /** A Standard Schema, or a function that throws. */
  readonly parse: Parse<Props>;
}

/** An entry without `parse`: its component takes any JSON object. */
export type UncheckedEntry = Omit<RegistryEntry<JsonObject>, "parse"> & {
  readonly parse?: undefined;
};

type Prepared =
  | { readonly isValid: true; readonly value: (link: ComponentLink) => ReactNode }
  | { readonly isValid: false; readonly error: Error };

interface RegisteredComponent {
  readonly surfaces: readonly Surface[];
  /** Parses the props; what it gives back only has to be linked. */
  readonly prepare: (props: JsonObject) => Prepared;
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
  for (const name in entries) components.set(name, registered<Props[typeof name]>(entries[name]));
  return {
    find: (name) => components.get(name),
    names: (surface) =>
      [...components].flatMap(([name, { surfaces }]) =>
        surface === undefined || surfaces.includes(surface) ? [name] : [],
      ),
  };
}

function registered<Props>(entry: RegistryEntry<Props> | UncheckedEntry): RegisteredComponent {
  return { surfaces: entry.surfaces, prepare: entry.parse ? checked(entry) : unchecked(entry) };
}

function checked<Props>({ component: Component, parse }: RegistryEntry<Props>) {
  return (input: JsonObject): Prepared => {
    const parsed = parseWith(parse, input);
    if (!parsed.isValid) return parsed;
    return { isValid: true, value: (link) => <Component {...link} props={parsed.value} /> };
  };
}

function unchecked({ component: Component }: UncheckedEntry) {
  return (props: JsonObject): Prepared => ({
    isValid: true,
    value: (link) => <Component {...link} props={props} />,
  });
}
