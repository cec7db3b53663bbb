import * as z from "zod";
import { Command } from "./command/command.ts";
import { SessionEvent } from "./event/event.ts";
import { JsonPatchOperation } from "./json/json-patch.ts";
import { HostInfo } from "./resource/host.ts";
import { LoginInfo } from "./resource/login.ts";
import { PolicyInfo } from "./resource/policy-info.ts";
import { PolicyRule, PolicyRuleInput } from "./resource/policy-rule.ts";
import { DirectoryList, ProjectList } from "./resource/project.ts";
import {
  CreateSession,
  PastSession,
  RuntimeInfo,
  SendMessage,
  SessionInfo,
} from "./resource/session.ts";
import { SessionState } from "./state/state.ts";
import { SessionList, WatchFrame } from "./resource/watch.ts";
import { TrustInfo, TrustInput } from "./part/trust.ts";
import { WireErrorBody } from "./wire/wire-error.ts";
import { RelayList } from "./resource/relay.ts";
import { CreatedToken, CreateToken, TokenInfo } from "./resource/token.ts";
import { DeletedSession, WorktreeList } from "./part/worktree.ts";

/** A JSON Schema (draft 2020-12) as plain data. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

const described = {
  SessionEvent,
  Command,
  SessionState,
  WireErrorBody,
  CreateSession,
  SendMessage,
  SessionInfo,
  SessionList,
  WatchFrame,
  RuntimeInfo,
  PastSession,
  HostInfo,
  LoginInfo,
  CreateToken,
  CreatedToken,
  TokenInfo,
  ProjectList,
  DirectoryList,
  TrustInfo,
  TrustInput,
  WorktreeList,
  RelayList,
  DeletedSession,
  PolicyInfo,
  PolicyRule,
  PolicyRuleInput,
  JsonPatch: z.array(JsonPatchOperation),
};

export type JsonSchemaName = keyof typeof described;

/**
 * The schemas of everything on the wire, for readers in other languages.
 * Unknown fields are allowed everywhere but in what configures a session, as on the wire; rules between fields
 * (a permission's `updated_input` goes with `allow` only) cannot be expressed here and are checked by the server.
 */
export function jsonSchemas(): Record<JsonSchemaName, JsonSchema> {
  return {
    SessionEvent: jsonSchema("SessionEvent"),
    Command: jsonSchema("Command"),
    SessionState: jsonSchema("SessionState"),
    WireErrorBody: jsonSchema("WireErrorBody"),
    CreateSession: jsonSchema("CreateSession"),
    SendMessage: jsonSchema("SendMessage"),
    SessionInfo: jsonSchema("SessionInfo"),
    SessionList: jsonSchema("SessionList"),
    WatchFrame: jsonSchema("WatchFrame"),
    RuntimeInfo: jsonSchema("RuntimeInfo"),
    PastSession: jsonSchema("PastSession"),
    HostInfo: jsonSchema("HostInfo"),
    LoginInfo: jsonSchema("LoginInfo"),
    CreateToken: jsonSchema("CreateToken"),
    CreatedToken: jsonSchema("CreatedToken"),
    TokenInfo: jsonSchema("TokenInfo"),
    ProjectList: jsonSchema("ProjectList"),
    DirectoryList: jsonSchema("DirectoryList"),
    TrustInfo: jsonSchema("TrustInfo"),
    TrustInput: jsonSchema("TrustInput"),
    WorktreeList: jsonSchema("WorktreeList"),
    RelayList: jsonSchema("RelayList"),
    DeletedSession: jsonSchema("DeletedSession"),
    PolicyInfo: jsonSchema("PolicyInfo"),
    PolicyRule: jsonSchema("PolicyRule"),
    PolicyRuleInput: jsonSchema("PolicyRuleInput"),
    JsonPatch: jsonSchema("JsonPatch"),
  };
}

function jsonSchema(name: JsonSchemaName): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(described[name], { io: "input" });
  return { ...($schema !== undefined && { $schema }), title: name, ...schema };
}
