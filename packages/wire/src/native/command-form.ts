import { defined } from "@turnwire/base";
import {
  accepted,
  Command,
  commandSchemas,
  type JsonObject,
  type Result,
  SendMessage,
  validate,
} from "@turnwire/protocol";
import * as z from "zod";

/** A shape in which commands come by HTTP: the body of a route, and the command that it means. */
export interface CommandForm {
  /** Undefined: the route takes no body. */
  readonly body: z.ZodType | undefined;
  /** `params` are those of the path. */
  commandFrom(body: unknown, params: Readonly<Record<string, string>>): Result<Command>;
}

/** The id is in the path; a key that is not known is an error, so that a misspelt one is not lost. */
const { name, surface, props, merge, patches } = commandSchemas.show_component.shape;
const ShowComponent = z.strictObject({ name, surface, props, merge, patches });
const Ask = z.strictObject(
  commandSchemas.ask.pick({ component_name: true, props: true, surface: true }).shape,
);
const JsonPatch = commandSchemas.state_patch.shape.patches;
const StatePatch = commandSchemas.state_patch.omit({ type: true });

/** The native commands in the forms that single routes have for them. */
export const commandForm = {
  message: form(SendMessage, (body) => {
    const { message, delivery, client_message_id, is_unattended, review } = body;
    const context = contextFrom(body);
    const rest = defined({ delivery, client_message_id, context, is_unattended, review });
    return { type: "user_message", content: message, ...rest };
  }),
  steer: form(SendMessage, (body) => {
    const { message, client_message_id } = body;
    const rest = defined({ client_message_id, context: contextFrom(body) });
    return { type: "steer", content: message, ...rest };
  }),
  interruptResponse: {
    body: commandSchemas.interrupt_response.pick({ value: true }),
    commandFrom(body, { interrupt_id }) {
      const given = validate(commandSchemas.interrupt_response.pick({ value: true }), body);
      if (!given.ok) return given;
      const command = { type: "interrupt_response", interrupt_id, value: given.value.value };
      return validate(Command, command);
    },
  },
  componentCallback: form(commandSchemas.component_callback.omit({ type: true }), (body) => ({
    type: "component_callback",
    ...body,
  })),
  showComponent: {
    body: ShowComponent,
    commandFrom(body, { component_id }) {
      const given = validate(ShowComponent, body);
      if (!given.ok) return given;
      return validate(Command, { type: "show_component", component_id, ...given.value });
    },
  },
  removeComponent: {
    body: undefined,
    commandFrom: (_body, { component_id }) =>
      validate(Command, { type: "remove_component", component_id }),
  },
  ask: {
    body: Ask,
    commandFrom(body, { interrupt_id }) {
      const given = validate(Ask, body);
      if (!given.ok) return given;
      return validate(Command, { type: "ask", interrupt_id, ...given.value });
    },
  },
  statePatch: {
    body: z.union([JsonPatch, StatePatch]),
    commandFrom(body) {
      // A bare patch is what RFC 6902 has; looked at first, so that the issues are about the form that came.
      const given = Array.isArray(body)
        ? validate(
            JsonPatch.transform((patches) => ({ patches })),
            body,
          )
        : validate(StatePatch, body);
      return given.ok ? accepted({ type: "state_patch", ...given.value }) : given;
    },
  },
  fork: form(commandSchemas.fork.omit({ type: true }), (body) => ({ type: "fork", ...body })),
  rollback: form(commandSchemas.rollback.omit({ type: true }), (body) => ({
    type: "rollback",
    ...body,
  })),
  compact: form(commandSchemas.compact.omit({ type: true }), (body) => ({
    type: "compact",
    ...body,
  })),
  stop: bodiless({ type: "interrupt" }),
  archive: bodiless({ type: "archive" }),
  unarchive: bodiless({ type: "unarchive" }),
} satisfies Record<string, CommandForm>;

function contextFrom({ context, node_context }: SendMessage): JsonObject | undefined {
  return node_context === undefined ? context : { ...context, node_context };
}

function form<Body>(schema: z.ZodType<Body>, commandOf: (body: Body) => Command): CommandForm {
  return {
    body: schema,
    commandFrom(body) {
      const given = validate(schema, body);
      return given.ok ? accepted(commandOf(given.value)) : given;
    },
  };
}

function bodiless(command: Command): CommandForm {
  return { body: undefined, commandFrom: () => accepted(command) };
}
