import {
  applyJsonPatch,
  type CatalogEntry,
  type Control,
  entryOf,
  type JsonPatchOperation,
} from "@turnwire/protocol";
import type { ComponentWish, ShownComponent, UiPort } from "../../1-runtime/ui-port.ts";
import type { ComponentIndex } from "./component-index.ts";

export interface SessionUiOptions {
  readonly control: () => Control;
  /** Appends what the agent has said until now, so that it can read what it did. */
  readonly flush: () => void;
  readonly components: ComponentIndex;
}

/** What a session's agent can know of its UI. */
export class SessionUi implements UiPort {
  readonly #options: SessionUiOptions;

  constructor(options: SessionUiOptions) {
    this.#options = options;
  }

  catalog(): readonly CatalogEntry[] {
    return this.#control().catalog;
  }

  component(componentId: string): ShownComponent | undefined {
    this.#options.flush();
    return this.#options.components.get(componentId);
  }

  check(wish: ComponentWish): string | undefined {
    const catalog = this.catalog();
    if (catalog.length > 0) {
      const entry = entryOf(catalog, wish.name);
      if (!entry) {
        const known = catalog.map(({ name }) => name).join(", ");
        return `There is no component ${wish.name}. There are: ${known}.`;
      }
      if (!entry.surfaces.includes(wish.surface)) {
        return `${wish.name} cannot be shown in ${wish.surface}, only in: ${entry.surfaces.join(", ")}.`;
      }
    }
    return wish.patches && this.#patchProblem(wish.component_id, wish.patches);
  }

  state(): ReturnType<UiPort["state"]> {
    const { shared: value, shared_version: version } = this.#control();
    return { value, version };
  }

  checkPatches(patches: readonly JsonPatchOperation[]): string | undefined {
    const result = applyJsonPatch(this.#control().shared, patches);
    return result.ok ? undefined : `The patch does not apply: ${result.problem}.`;
  }

  #control(): Control {
    this.#options.flush();
    return this.#options.control();
  }

  #patchProblem(
    id: string | undefined,
    patches: readonly JsonPatchOperation[],
  ): string | undefined {
    const shown = id === undefined ? undefined : this.component(id);
    if (!shown) return `There is no component ${id ?? "without an id"} that could be patched.`;
    const result = applyJsonPatch(shown.props, patches);
    return result.ok ? undefined : `The patch does not apply: ${result.problem}.`;
  }
}
