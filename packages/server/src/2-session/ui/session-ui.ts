import {
  applyJsonPatch,
  type CatalogEntry,
  type Control,
  entryOf,
  type JsonObject,
  type JsonPatchOperation,
  limits,
  pointerNames,
} from "@turnwire/protocol";
import { isObject } from "@turnwire/base";
import type { ComponentWish, ShownComponent, UiPort } from "@turnwire/runtime";
import type { ComponentIndex, IndexedComponent } from "./component-index.ts";

export interface SessionUiOptions {
  readonly control: () => Control;
  /** Appends what the agent has said until now, so that it can read what it did. */
  readonly flush: () => void;
  readonly components: ComponentIndex;
  readonly checkProps: (entry: CatalogEntry, props: JsonObject) => Promise<string | undefined>;
}

/** Properties as they would be, or why they cannot be so. */
type NextProps =
  /** `isPartial`: what is stored beside the log is not among them. */
  | { readonly ok: true; readonly props: JsonObject; readonly isPartial?: boolean }
  | { readonly ok: false; readonly problem: string };

/** Ids of components that no one shows: the UI derives them from tool calls, state keys and requests. */
const derivedId = /^(?:tool:|state:|interrupt-)/;

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

  async check(wish: ComponentWish): Promise<string | undefined> {
    const problem = this.#nameProblem(wish) ?? this.#idProblem(wish.component_id);
    if (problem !== undefined) return problem;
    const next = this.#nextProps(wish);
    if (!next.ok) return next.problem;
    const entry = entryOf(this.catalog(), wish.name) ?? anyComponent(wish);
    return this.#options.checkProps(next.isPartial ? withoutRequired(entry) : entry, next.props);
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

  #nameProblem({ name, surface }: ComponentWish): string | undefined {
    const catalog = this.catalog();
    if (catalog.length === 0) return undefined;
    const entry = entryOf(catalog, name);
    if (!entry) {
      const known = catalog.map((one) => one.name).join(", ");
      return `There is no component ${name}. There are: ${known}.`;
    }
    if (entry.surfaces.includes(surface)) return undefined;
    return `${name} cannot be shown in ${surface}, only in: ${entry.surfaces.join(", ")}.`;
  }

  #idProblem(id: string | undefined): string | undefined {
    if (id !== undefined && derivedId.test(id)) {
      return `The id ${id} is not free: ids that begin with tool:, state: or interrupt- are made by the UI.`;
    }
    const { components } = this.#options;
    const isNew = id === undefined || !components.get(id);
    if (!isNew || components.size < limits.components) return undefined;
    return `The session shows ${components.size} components, and that is the most it can: remove some first.`;
  }

  #nextProps({ component_id: id, props = {}, merge, patches }: ComponentWish): NextProps {
    const earlier = id === undefined ? undefined : this.#options.components.get(id);
    if (patches) return patchedProps(id, earlier, patches);
    return earlier && merge ? mergedProps(earlier, props) : { ok: true, props };
  }
}

function patchedProps(
  id: string | undefined,
  earlier: IndexedComponent | undefined,
  patches: readonly JsonPatchOperation[],
): NextProps {
  if (!earlier) return refused(`There is no component ${id ?? "without an id"} to patch.`);
  if (earlier.attachments) return refused(tooLarge(id));
  const bytes = Buffer.byteLength(JSON.stringify(patches));
  if (bytes > limits.propsPatchBytes) {
    return refused(
      `The patches have ${bytes} bytes of JSON; at most ${limits.propsPatchBytes} are taken. Send the properties whole instead.`,
    );
  }
  const result = applyJsonPatch(earlier.props, patches);
  if (!result.ok) return refused(`The patch does not apply: ${result.problem}.`);
  return isObject(result.value)
    ? { ok: true, props: result.value }
    : refused("The patch leaves no object: properties are one.");
}

function mergedProps(earlier: IndexedComponent, props: JsonObject): NextProps {
  const { attachments = [] } = earlier;
  const kept = attachments.map(({ path }) => pointerNames(path)[1]);
  if (kept.includes(undefined)) return refused(tooLarge(undefined));
  const isPartial = kept.some((name) => name !== undefined && !Object.hasOwn(props, name));
  // Of what is stored beside the log, there are only previews here: they are not checked.
  return isPartial
    ? { ok: true, props, isPartial }
    : { ok: true, props: { ...earlier.props, ...props } };
}

function tooLarge(id: string | undefined): string {
  return `The properties of ${id ?? "this component"} are too large to be changed in part: send them whole.`;
}

function withoutRequired(entry: CatalogEntry): CatalogEntry {
  const { required: _, ...props_schema } = entry.props_schema;
  return { ...entry, props_schema };
}

/** Without a catalog, any properties are shown that are not too large. */
function anyComponent({ name, surface }: ComponentWish): CatalogEntry {
  return { name, description: name, props_schema: {}, surfaces: [surface] };
}

function refused(problem: string): NextProps {
  return { ok: false, problem };
}
