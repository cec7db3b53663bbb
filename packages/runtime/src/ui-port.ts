import type {
  CatalogEntry,
  JsonObject,
  JsonPatchOperation,
  JsonValue,
  Surface,
} from "@turnwire/protocol";

/** A component that the session shows now. */
export interface ShownComponent {
  readonly name: string;
  readonly surface: Surface;
  readonly props: JsonObject;
}

/** A component as an agent wants to show it: with properties of its own, merged ones, or patches on the earlier. */
export interface ComponentWish {
  /** Absent: a new component. */
  readonly component_id?: string;
  readonly name: string;
  readonly surface: Surface;
  readonly props?: JsonObject;
  readonly merge?: boolean;
  readonly patches?: readonly JsonPatchOperation[];
}

/**
 * What the session's UI can show, and shows. One object per session; it reads what is in force at
 * that moment. Problems are sentences for the model, so that it can correct itself.
 */
export interface UiPort {
  /** The components that can be shown; empty: none is known, and any name may be tried. */
  catalog(): readonly CatalogEntry[];
  component(componentId: string): ShownComponent | undefined;
  /** Why the component cannot be shown like this; undefined when it can. */
  check(wish: ComponentWish): Promise<string | undefined>;
  /** The shared state. */
  state(): { readonly value: JsonValue; readonly version: number };
  /** Why the patches cannot be applied to the shared state; undefined when they can. */
  checkPatches(patches: readonly JsonPatchOperation[]): string | undefined;
}
