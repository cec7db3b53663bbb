import type {
  CatalogEntry,
  ComponentStatus,
  JsonObject,
  JsonValue,
  Surface,
} from "@turnwire/protocol";
import type { Accepted } from "../6-session/session-api.ts";
import type { RequestProgress } from "../6-session/session-view.ts";
import { parseWith, type Parse, type Parsed } from "./parse.ts";
import type { UnsentEntry } from "./unsent-entry.ts";

/** The means of a component to talk to the agent, in addition to its props. */
export interface ComponentLink {
  readonly component_id: string;
  readonly surface: Surface;
  /** loading: more of its props comes; error: no more comes. */
  readonly status: ComponentStatus;
  /** Why there is nothing to show; with the status `error` of a tool that failed. */
  readonly error?: string;
  /** Notifies the agent of what a person did here, in the running turn or else the next one. */
  readonly callback: (action: string, payload?: JsonObject) => Promise<Accepted>;
  /** Gives an interrupt its value; missing where none waits for one. */
  readonly respond?: (value: JsonValue) => void;
  /** How far the interrupt has come; missing where the component is none. */
  readonly progress?: RequestProgress;
  /** The value that the interrupt was given. */
  readonly value?: JsonValue;
  /** Input that was not sent yet, for a component whose input survives a reload. */
  readonly unsent: UnsentEntry;
}

/** `props` are apart from the rest, so that nothing an agent sends can pose as ours or the framework's. */
export interface ComponentProps<Props = JsonObject> extends ComponentLink {
  readonly props: Props;
}

/** One component: what shows it, where it may be, and what makes sure of its props. */
export interface RegistryEntry<ComponentType, Props> {
  readonly component: ComponentType;
  readonly surfaces: readonly Surface[];
  /** A Standard Schema, or a function that throws. */
  readonly parse: Parse<Props>;
}

/** An entry without `parse`: its component takes any JSON object. */
export interface UncheckedEntry<ComponentType> {
  readonly component: ComponentType;
  readonly surfaces: readonly Surface[];
  readonly parse?: undefined;
}

/** A component with props that its own `parse` has made. */
export interface Prepared<ComponentType> {
  readonly component: ComponentType;
  readonly props: unknown;
}

interface RegisteredComponent<ComponentType> {
  readonly surfaces: readonly Surface[];
  readonly prepare: (props: JsonObject) => Parsed<Prepared<ComponentType>>;
}

/** The components that an agent may show, by name. */
export interface Registry<ComponentType> {
  readonly find: (name: string) => RegisteredComponent<ComponentType> | undefined;
  /** All names, or those that may be on a surface. */
  readonly names: (surface?: Surface) => string[];
}

type AnyEntry<ComponentType> =
  | RegistryEntry<ComponentType, unknown>
  | UncheckedEntry<ComponentType>;

/** Makes a registry; the names are what agents call the components. */
export function createRegistry<ComponentType>(
  entries: Readonly<Record<string, AnyEntry<ComponentType>>>,
): Registry<ComponentType> {
  const components = new Map(
    Object.entries(entries).map(([name, entry]) => [name, registered(entry)]),
  );
  return {
    find: (name) => components.get(name),
    names: (surface) =>
      [...components].flatMap(([name, { surfaces }]) =>
        surface === undefined || surfaces.includes(surface) ? [name] : [],
      ),
  };
}

function registered<ComponentType>({
  component,
  surfaces,
  parse,
}: AnyEntry<ComponentType>): RegisteredComponent<ComponentType> {
  return {
    surfaces,
    prepare: (input) => {
      const parsed: Parsed<unknown> = parse ? parseWith(parse, input) : valid(input);
      return parsed.isValid ? valid({ component, props: parsed.value }) : parsed;
    },
  };
}

function valid<Value>(value: Value): Parsed<Value> {
  return { isValid: true, value };
}

/** A component of one's own as the agent learns of it, and as this page shows it. */
export type ComponentOffer<ComponentType, Props> = CatalogEntry &
  Pick<RegistryEntry<ComponentType, Props>, "component"> & {
    /** A Standard Schema, or a function that throws; without it the component takes any JSON object. */
    readonly parse?: Parse<Props>;
  };

/** The part of an offer that goes to the agent. */
export function catalogEntryOf<ComponentType, Props>({
  component: _component,
  parse: _parse,
  ...entry
}: ComponentOffer<ComponentType, Props>): CatalogEntry {
  return entry;
}
