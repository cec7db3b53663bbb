import { commandSchemas, JsonValue } from "@turnwire/protocol";
import * as z from "zod";

/** What agent-webkit's clients may send, for the description of the route; `commandFrom` reads it. */
export const WebkitInput = z.union([
  commandSchemas.user_message,
  commandSchemas.interrupt,
  commandSchemas.permission_response,
  commandSchemas.question_response.extend({
    answers: JsonValue.describe("By question text, or in the order of the questions"),
  }),
  commandSchemas.set_permission_mode,
  commandSchemas.set_model.partial({ model: true }),
  commandSchemas.stop_task,
  commandSchemas.hook_response,
]);
