import type { AgentMessage, ContentBlock, UserMessage } from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { wrap } from "../terminal/wrap.ts";
import { amountText, costText, durationText } from "../terminal/figure.ts";

function contentText(content: readonly ContentBlock[]): string {
  return content
    .map((block) => {
      switch (block.type) {
        case "text":
          return block.text;
        case "image":
          return `[${block.source.media_type}]`;
        case "document":
          return `[${block.title ?? block.source.media_type}]`;
      }
    })
    .join("\n");
}

/** What a person said. */
export function userLines({ content, delivery }: UserMessage, format: Format): string[] {
  const { cyan, bold } = format.colors;
  const mark = delivery === "steer" ? "»" : "›";
  return safeText(contentText(content))
    .trimEnd()
    .split("\n")
    .flatMap((line, index) =>
      wrap(bold(line), format.width, { first: `${index === 0 ? cyan(mark) : " "} `, rest: "  " }),
    );
}

/** How the agent's turn ended; nothing while it runs. */
export function endLines({ done, stopped, result }: AgentMessage, format: Format): string[] {
  const { colors } = format;
  if (!done || (!result && !stopped)) return [];
  const tokens = result?.usage?.output_tokens;
  const cost = result?.total_cost_usd;
  const facts = [
    result?.duration_ms === undefined ? "" : durationText(result.duration_ms),
    tokens === undefined ? "" : amountText(tokens, "token"),
    cost ? costText(cost) : "",
  ].filter(Boolean);
  if (stopped) return [[colors.yellow("■ stopped"), ...facts.map(colors.dim)].join(" · ")];
  if (result?.is_error) {
    return [[colors.red(`✗ the turn failed (${safeText(result.subtype)})`), ...facts].join(" · ")];
  }
  return facts.length > 0 ? [colors.dim(`✓ ${facts.join(" · ")}`)] : [];
}
