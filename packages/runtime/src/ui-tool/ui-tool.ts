import {
  type CatalogEntry,
  entryOf,
  JsonObject,
  JsonPatchOperation,
  type JsonValue,
  Surface,
  type UiTool,
  valueAt,
} from "@turnwire/protocol";
import * as z from "zod";
import type { ComponentWish, UiPort } from "../ui-port.ts";
import { catalogText, schemaText } from "./catalog-text.ts";
import { refusal, type ServedTool, textOf, type ToolAnswer, type ToolCall } from "./served-tool.ts";

/** More of the shared state is not given at once. */
const maxStateText = 60_000;

/** Any object; the recursive schema of JSON would only cost the model tokens. */
const Props = z.looseObject({}).transform((props) => JsonObject.parse(props));
const Patches = z
  .array(z.looseObject({ op: z.string(), path: z.string() }))
  .min(1)
  .transform((patches, context) => {
    const parsed = z.array(JsonPatchOperation).safeParse(patches);
    if (parsed.success) return parsed.data;
    context.addIssue(`no JSON Patch: ${z.prettifyError(parsed.error)}`);
    return z.NEVER;
  });
const patchText = 'JSON Patch, such as [{"op":"add","path":"/rows/-","value":1}]';

/** The tools that every session has: they show components, wait for what a person does there, and share a document. */
export function uiTools(catalog: readonly CatalogEntry[]): readonly ServedTool[] {
  return [
    uiTool({
      name: "render_component",
      description:
        "Shows a component in the user interface, or changes one that is shown. Answers with its component_id. What the person does in it comes back as a message.",
      input: renderInput(catalog),
      call: renderComponent,
    }),
    uiTool({
      name: "remove_component",
      description: "Takes a component out of the user interface.",
      input: z.object({ component_id: z.string().min(1) }),
      async call({ component_id }, { news: { ui }, emit }) {
        if (!ui.component(component_id)) return refusal(unknownComponent(component_id));
        await emit({ type: "component_remove", data: { component_id } });
        return { text: textOf({ component_id }) };
      },
    }),
    uiTool({
      name: "ask_user",
      description:
        "Shows a component of render_component in the user interface and waits until the person there has answered.",
      input: z.object({
        component_name: z.string().min(1),
        props: Props,
        surface: Surface,
      }),
      async call(question, { news: { ui }, askInComponent, id, toolUseId }) {
        const { component_name: name, props, surface } = question;
        const problem = await problemOf(ui, { name, props, surface });
        if (problem !== undefined) return refusal(problem);
        const answer = await askInComponent({ request_id: id, ...question, ...toolUseId });
        return answer?.type === "interrupt_response"
          ? { text: textOf(answer.value) }
          : refusal("The person did not answer.");
      },
    }),
    uiTool({
      name: "update_state",
      description:
        "Changes the JSON document that you share with the user interface. Answers with its new version.",
      input: z.object({
        patches: Patches.describe(patchText),
        base_version: z
          .int()
          .optional()
          .describe("The version that the change is made for; it is refused if there is another"),
      }),
      async call({ patches, base_version }, { news, emit }) {
        const { ui } = news;
        const { version } = ui.state();
        if (base_version !== undefined && base_version !== version) {
          return refusal(`The state has version ${version} now. Read it with read_state.`);
        }
        const problem = ui.checkPatches(patches);
        if (problem !== undefined) return refusal(problem);
        await emit({ type: "state_delta", data: { patches } });
        const changed = ui.state().version;
        news.markStateSeen({ version: changed, from: version });
        return { text: textOf({ version: changed }) };
      },
    }),
    uiTool({
      name: "read_state",
      description:
        "Reads the JSON document that you share with the user interface, or a part of it.",
      input: z.object({
        path: z
          .string()
          .regex(/^(\/.*)?$/, "a JSON Pointer is empty or starts with /")
          .optional()
          .describe("A JSON Pointer to the part, such as /todos/0"),
      }),
      call: readState,
    }),
  ];
}

/** The names of the tools, which no other tool of a session may have. */
export const uiToolNames: readonly string[] = uiTools([]).map(({ name }) => name);

function renderInput(catalog: readonly CatalogEntry[]) {
  const list = catalog.length === 0 ? "" : ` There are:\n${catalogText(catalog)}`;
  return z.object({
    component_id: z.string().min(1).optional().describe("Only to change a component that is shown"),
    name: z.string().min(1).optional().describe(`Which component; needed for a new one.${list}`),
    surface: Surface.optional().describe(
      "Where it is shown: chat is within the conversation, the others are beside it",
    ),
    props: Props.optional().describe("Its properties"),
    merge: z
      .boolean()
      .optional()
      .describe("True: these properties are laid over the earlier ones; else they replace them"),
    patches: Patches.optional().describe(
      `Instead of props, changes to the properties of a component that is shown: ${patchText}`,
    ),
  });
}

async function renderComponent(
  input: z.infer<ReturnType<typeof renderInput>>,
  { news: { ui }, emit, id, toolUseId }: ToolCall,
): Promise<ToolAnswer> {
  const { component_id, props, patches, merge = false } = input;
  const earlier = component_id === undefined ? undefined : ui.component(component_id);
  const name = input.name ?? earlier?.name;
  if (patches && !earlier) return refusal(unknownComponent(component_id));
  if (name === undefined) {
    return refusal(
      component_id === undefined ? "Name the component to show." : unknownComponent(component_id),
    );
  }
  if ((props === undefined) === (patches === undefined)) {
    return refusal("Give either props or patches.");
  }
  const surface = input.surface ?? earlier?.surface ?? firstSurface(ui, name);
  const wish = {
    name,
    surface,
    ...(component_id !== undefined && { component_id }),
    ...(patches ? { patches } : { props: props ?? {}, merge }),
  };
  const problem = await problemOf(ui, wish);
  if (problem !== undefined) return refusal(problem);
  const shown = { component_id: component_id ?? id, name, surface, ...toolUseId };
  const change = patches
    ? { props: {}, merge: false, patches: [...patches] }
    : { props: props ?? {}, merge };
  await emit({ type: "component_update", data: { ...shown, ...change } });
  return { text: textOf({ component_id: shown.component_id }) };
}

async function readState({ path = "" }: { path?: string | undefined }, { news }: ToolCall) {
  const { value, version } = news.ui.state();
  const part = valueAt(value, path);
  if (part === undefined) return refusal(`There is nothing at ${path}. ${membersText(value)}`);
  const text = textOf({ version, value: part });
  if (text.length <= maxStateText) {
    if (path === "") news.markStateSeen({ version });
    return { text };
  }
  return refusal(`That is too much to read at once: give a path. ${membersText(part)}`);
}

function membersText(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return "";
  const names = Object.keys(value);
  const more = names.length > 50 ? `, and ${names.length - 50} more` : "";
  return `It has the members ${names.slice(0, 50).join(", ")}${more}.`;
}

/** Why a component cannot be shown like this, with what it takes. */
async function problemOf(ui: UiPort, wish: ComponentWish): Promise<string | undefined> {
  const problem = await ui.check(wish);
  if (problem === undefined) return undefined;
  const entry = entryOf(ui.catalog(), wish.name);
  return entry ? `${problem}\nThe properties of ${entry.name}: ${schemaText(entry)}` : problem;
}

function unknownComponent(componentId: string | undefined): string {
  return componentId === undefined
    ? "Give the component_id of the component to change."
    : `There is no component ${componentId}.`;
}

function firstSurface(ui: UiPort, name: string): Surface {
  return entryOf(ui.catalog(), name)?.surfaces[0] ?? "chat";
}

interface UiToolDefinition<Input> {
  readonly name: UiTool;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly call: (input: Input, call: ToolCall) => Promise<ToolAnswer>;
}

/** A model that gets the input wrong learns how, so that it can try again. */
function uiTool<Input>({ name, description, input, call }: UiToolDefinition<Input>): ServedTool {
  return {
    name,
    description,
    inputSchema: JsonObject.parse(z.toJSONSchema(input, { io: "input" })),
    async call(source, context) {
      const parsed = input.safeParse(source);
      if (parsed.success) return call(parsed.data, context);
      return refusal(`The input is not valid: ${z.prettifyError(parsed.error)}`);
    },
  };
}
