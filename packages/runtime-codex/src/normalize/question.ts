import type { Question } from "@turnwire/protocol";
import { elicitationQuestions } from "@turnwire/runtime";
import type { CodexMessageOf } from "../protocol/message.ts";

type Asked = CodexMessageOf<"item/tool/requestUserInput" | "mcpServer/elicitation/request">;

/** The questions in a request; none when it asks for no values. */
export function questionsFrom(asked: Asked): Question[] {
  if (asked.method === "mcpServer/elicitation/request") {
    // A visit to an address is asked about as a permission.
    const { url: _, ...form } = asked.params;
    return elicitationQuestions(form);
  }
  return asked.params.questions.map(({ header, question, options }) => ({
    question,
    ...(header && { header }),
    options: (options ?? []).map(({ label, description }) => ({
      label,
      ...(description && { description }),
    })),
  }));
}
