import { JsonObject, Surface } from "@turnwire/protocol";
import * as z from "zod";
import { type ServedTool, textOf, type ToolAnswer, type ToolCall } from "./served-tool.ts";

/** Any object; the recursive schema of JSON would only cost the model tokens. */
const Props = z.looseObject({}).transform((props) => JsonObject.parse(props));

const RenderComponent = z.object({
  component_id: z.string().min(1).optional().describe("Only to change a component shown before"),
  name: z.string().min(1).describe("The kind of component"),
  surface: Surface.describe("Where it is shown"),
  props: Props,
  merge: z.boolean().optional().describe("Lay props over the earlier ones, not in their place"),
});
const RemoveComponent = z.object({ component_id: z.string().min(1) });
const AskUser = z.object({
  component_name: z.string().min(1),
  props: Props,
  surface: Surface,
});

/** The tools of every session: they show components, and wait for what a person does there. */
export const uiTools: readonly ServedTool[] = [
  uiTool({
    name: "render_component",
    description:
      "Shows a component in the user interface, or changes one. Answers with its component_id.",
    input: RenderComponent,
    async call({ component_id, merge = false, ...rest }, { id, toolUseId, emit }) {
      const component = { component_id: component_id ?? id, merge, ...rest };
      emit({ type: "turnwire/component", ...component, ...toolUseId });
      return { text: textOf({ component_id: component.component_id }) };
    },
  }),
  uiTool({
    name: "remove_component",
    description: "Takes a component out of the user interface.",
    input: RemoveComponent,
    async call({ component_id }, { emit, toolUseId }) {
      emit({ type: "turnwire/component_removed", component_id, ...toolUseId });
      return { text: textOf({ component_id }) };
    },
  }),
  uiTool({
    name: "ask_user",
    description:
      "Shows a component in the user interface and waits until the person there has answered.",
    input: AskUser,
    async call(shown, { requests, id, toolUseId, signal }) {
      const answer = await requests.ask(
        { type: "turnwire/interrupt_ask", request_id: id, ...shown, ...toolUseId },
        signal,
      );
      return answer?.type === "interrupt_response"
        ? { text: textOf(answer.value) }
        : { text: "The person did not answer.", isError: true };
    },
  }),
];

interface UiTool<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly call: (input: Input, call: ToolCall) => Promise<ToolAnswer>;
}

/** A model that gets the input wrong learns how, so that it can try again. */
function uiTool<Input>({ name, description, input, call }: UiTool<Input>): ServedTool {
  return {
    name,
    description,
    inputSchema: JsonObject.parse(z.toJSONSchema(input, { io: "input" })),
    async call(source, context) {
      const parsed = input.safeParse(source);
      if (parsed.success) return call(parsed.data, context);
      return { text: `The input is wrong: ${z.prettifyError(parsed.error)}`, isError: true };
    },
  };
}
