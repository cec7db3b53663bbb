import type { Question } from "@turnwire/protocol";
import * as z from "zod";
import type { CodexMessageOf } from "../protocol/message.ts";

type Asked = CodexMessageOf<"item/tool/requestUserInput" | "mcpServer/elicitation/request">;

const Form = z.looseObject({
  properties: z.record(
    z.string(),
    z.looseObject({
      type: z.unknown(),
      title: z.string().optional(),
      description: z.string().optional(),
      enum: z.array(z.string()).optional(),
    }),
  ),
});

/** The questions in a request; none when it asks for no values. */
export function questionsFrom(asked: Asked): Question[] {
  if (asked.method === "mcpServer/elicitation/request") return formQuestions(asked.params);
  return asked.params.questions.map(({ header, question, options }) => ({
    question,
    ...(header && { header }),
    options: (options ?? []).map(({ label, description }) => ({
      label,
      ...(description && { description }),
    })),
  }));
}

/** Each field of a form is a question, in the words of the form where it has only one. */
function formQuestions({
  message,
  serverName,
  requestedSchema,
}: CodexMessageOf<"mcpServer/elicitation/request">["params"]): Question[] {
  const fields = Object.entries(Form.safeParse(requestedSchema).data?.properties ?? {});
  return fields.map(([name, field]) => {
    const words = field.title ?? field.description ?? name;
    const isOnly = fields.length === 1 && message;
    const options = optionsFrom(field);
    return {
      question: isOnly ? message : `${message ?? serverName}: ${words}`,
      header: serverName,
      ...(options.length > 0 && { options_only: true }),
      options,
    };
  });
}

function optionsFrom(field: { type?: unknown; enum?: string[] | undefined }): Question["options"] {
  const labels = field.enum ?? (field.type === "boolean" ? ["yes", "no"] : []);
  return labels.map((label) => ({ label }));
}
