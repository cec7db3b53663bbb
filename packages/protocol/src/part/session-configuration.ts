import * as z from "zod";
import { JsonObject } from "../json/json.ts";

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "not a header name");
const headerValue = z
  .string()
  .max(16_384)
  .regex(/^[^\0\r\n]*$/, "line breaks are not allowed");
const text = z
  .string()
  .max(32_768)
  .regex(/^[^\0]*$/, "NUL is not allowed");
const toolNames = z.array(z.string().min(1).max(500)).max(500);

/** A tool server (Model Context Protocol) that the agent starts or connects to. */
export const McpServer = z
  .discriminatedUnion("type", [
    z
      .strictObject({
        type: z.literal("stdio"),
        command: text.min(1).describe("The program to start."),
        args: z.array(text).max(200).optional().describe("Its arguments."),
        env: z
          .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not a variable name"), text)
          .optional()
          .describe("Variables of its environment. Never shown again."),
      })
      .describe("A program that the agent starts."),
    z
      .strictObject({
        type: z.literal("http"),
        url: z
          .url({ protocol: /^https?$/ })
          .max(4096)
          .describe("Its address."),
        headers: z
          .record(headerName, headerValue)
          .optional()
          .describe("Headers of every request. Never shown again."),
      })
      .describe("A server that is reached by HTTP."),
  ])
  .meta({ id: "McpServer" });
export type McpServer = z.infer<typeof McpServer>;

export const McpServers = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "1 to 64 letters, digits, - or _")
      .refine((name) => name !== "turnwire", "turnwire is the name of Turnwire's own tool server"),
    McpServer,
  )
  .refine((servers) => Object.keys(servers).length <= 50, "at most 50 MCP servers");

/** Instructions for the agent: beside its own, or instead of them. */
export const SystemPrompt = z
  .union([
    z.string().max(1_000_000),
    z.strictObject({
      mode: z
        .enum(["append", "replace"])
        .describe(
          "`append`: beside the agent's own instructions; `replace`: instead of them, admins only.",
        ),
      text: z.string().max(1_000_000).describe("The instructions."),
    }),
  ])
  .meta({ id: "SystemPrompt" })
  .describe("A plain text is appended.");
export type SystemPrompt = z.infer<typeof SystemPrompt>;

export const Effort = z.string().min(1).max(50);

/** The configuration of a session besides runtime, model, mode and directory. */
export const sessionConfiguration = {
  effort: Effort.optional().describe(
    "How much the agent thinks: one of `capabilities.efforts`. Without it, the runtime's default.",
  ),
  system_prompt: SystemPrompt.optional().describe(
    "Instructions for the agent: a text is added to its own; `replace` is for admins.",
  ),
  mcp_servers: McpServers.optional().describe(
    "MCP servers by name, in addition to those the server configures; admins only.",
  ),
  allowed_tools: toolNames
    .optional()
    .describe("Tools that the agent uses without asking, in the runtime's words; admins only."),
  disallowed_tools: toolNames
    .optional()
    .describe("Tools that the agent does not get, in the runtime's words."),
  hooks: z
    .array(z.string().min(1).max(100))
    .max(50)
    .optional()
    .describe("Hook events that ask a person, such as `PreToolUse`; admins only."),
  max_turns: z
    .int()
    .positive()
    .max(10_000)
    .optional()
    .describe("How often the agent may call its model in answer to one message."),
  output_schema: JsonObject.optional().describe(
    "The JSON Schema of an object: each turn ends with an answer of this form, as `structured_output` of its `result`.",
  ),
  agents: z
    .strictObject({
      max_threads: z
        .int()
        .positive()
        .max(100)
        .optional()
        .describe("How many sub-agents may run at once."),
      max_depth: z
        .int()
        .nonnegative()
        .max(20)
        .optional()
        .describe(
          "How deep sub-agents may start others; 0: no sub-agents. Not held by Codex where `multi_agent_v2` is on, which has no such limit (0.169.0).",
        ),
    })
    .optional()
    .describe("Limits of sub-agents."),
};

/** The fields above that a runtime may lack; `replace` means a replacing `system_prompt`. */
export const SessionOption = z.enum([
  "system_prompt",
  "system_prompt.replace",
  "mcp_servers",
  "allowed_tools",
  "disallowed_tools",
  "hooks",
  "max_turns",
  "output_schema",
  "agents",
]);
export type SessionOption = z.infer<typeof SessionOption>;
