import * as z from "zod";
import { Command } from "./command.ts";
import { SessionEvent } from "./event.ts";
import { JsonPatchOperation } from "./json-patch.ts";
import { CreateSession, RuntimeInfo, SendMessage, SessionInfo } from "./session.ts";
import { WireErrorBody } from "./wire-error.ts";

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

const described = {
  SessionEvent,
  Command,
  WireErrorBody,
  CreateSession,
  SendMessage,
  SessionInfo,
  RuntimeInfo,
  JsonPatch: z.array(JsonPatchOperation),
};

export type JsonSchemaName = keyof typeof described;

/**
 * What goes over the wire, for readers in other languages.
 * Unknown fields are allowed everywhere, as they are on the wire; rules between fields
 * (a permission's `updated_input` goes with `allow` only) cannot be said here and are checked by the server.
 */
export function jsonSchemas(): Record<JsonSchemaName, JsonSchema> {
  return {
    SessionEvent: jsonSchema("SessionEvent"),
    Command: jsonSchema("Command"),
    WireErrorBody: jsonSchema("WireErrorBody"),
    CreateSession: jsonSchema("CreateSession"),
    SendMessage: jsonSchema("SendMessage"),
    SessionInfo: jsonSchema("SessionInfo"),
    RuntimeInfo: jsonSchema("RuntimeInfo"),
    JsonPatch: jsonSchema("JsonPatch"),
  };
}

function jsonSchema(name: JsonSchemaName): JsonSchema {
  return { ...z.toJSONSchema(described[name], { io: "input" }), title: name };
}
