import type { closeCode, limits, WireErrorCode } from "@turnwire/protocol";

// What the page says of codes and limits. The types make sure that none is forgotten.

export const errorMeanings: Readonly<Record<WireErrorCode, string>> = {
  invalid_request:
    "The body, the query or the command is not valid. `details.issues` lists `{path, message}` where a schema was violated.",
  invalid_catalog:
    "An entry of the catalog is not valid; `details` has its `name` and, in its schema, the `path`.",
  invalid_cursor: "`Last-Event-ID`, `after` or `epoch` is malformed.",
  runtime_unknown: "No runtime has this name; `details.runtimes` lists those there are.",
  unknown_policy_mode:
    "The policy has no mode of this name; `details.policy_modes` lists those there are.",
  unauthorized: "The credential is missing or wrong; `details.reason` for browsers.",
  forbidden: "The credential is valid, but this is for admins or not possible here.",
  origin_not_allowed: "The page that sent the request belongs to another site.",
  cwd_not_allowed:
    "The directory is in no project, or outside the server's roots. `details.can_add`: it can be added as a project.",
  policy_loosening_not_allowed:
    "The policy mode allows more than the present one: only an admin may choose it.",
  not_found: "There is nothing at this path, or no such attachment, log-in or queued message.",
  session_not_found: "There is no such session, or it belongs to another principal.",
  request_not_found: "The session never had a request with this id.",
  method_not_allowed: "The path exists, but not with this method; see the `Allow` header.",
  request_timeout: "The request took too long to arrive.",
  already_claimed:
    "Another client performs the tool call; `details` has `id`, `expires_at` and `left_ms`.",
  already_resolved: "The request has ended; `details` has `id` and `outcome`.",
  budget_reached: "The session has reached its budget: raise it, or send with `delivery: queue`.",
  capability_missing: "The runtime cannot do this; `details.capability` names what is missing.",
  catalog_conflict:
    "The catalog has another entry of this name; `details.name` names it. Give one of the two another name.",
  command_lost:
    "The host that ran the session stopped while it carried the command out, or did not answer a `fork` in time. Whether it had an effect is not known: look before sending it again.",
  component_gone: "The session shows no such component: it was removed, or never there.",
  idempotency_conflict:
    "The `client_message_id`, `client_patch_id` or `client_callback_id` was used for something else.",
  session_exists: "A session with this id exists.",
  session_archived: "The session is archived: unarchive it first.",
  session_damaged:
    "Stored events are damaged; `details` has `first_seq` and `last_seq` where they are known.",
  stale_state:
    "The patch was made for another version of the shared state; `details.version` is the present one. Read it, make the patch again and send it.",
  trust_changed:
    "What can run commands in the directory has changed since the digest was made: review it again.",
  turn_running: "Not possible while a turn runs or messages wait.",
  turn_not_running: "No turn runs that a message could join.",
  workspace_unavailable:
    "No running host has the session's working directory, or this one lacks the agent's own record of the conversation, which another host may have. No new conversation was started in its place; its log can be read, and it works again on a host that has both.",
  worktree_failed:
    "The git worktree could not be made; nothing of it is left. `details.reason` says why: `unavailable`, `not_a_repository`, `no_commits`, `branch_invalid`, `branch_exists`, `base_unknown`, `directory_missing`, `copy_failed`, `setup_failed` or `git_failed`.",
  cursor_gone:
    "The log cannot continue from this position; `details` has `oldest`, `head` and `epoch`.",
  payload_too_large: "The body, the shared state or the snapshot is too large.",
  unsupported_media_type: "The body is not uncompressed `application/json`.",
  policy_denied:
    "The session's policy denies what the answer allows; the request stays open. `details` has `rule` and `reason`.",
  host_not_allowed: "The server does not answer to this `Host`.",
  rate_limited: "Too many wrong credentials; see the `Retry-After` header.",
  queue_full:
    "Too many messages wait: `details` has `limit`, or `limit_bytes` and `waiting_bytes`.",
  internal: "A fault of the server.",
  sandbox_unavailable:
    "A sandbox was asked for and there is none; the message says what to install or choose.",
  runtime_unavailable: "The agent cannot be started or failed at the command.",
  store_unavailable: "The store cannot write now, or this host cannot reach it.",
  overloaded: "All agents are busy, or the session is being unloaded.",
  shutting_down: "The server is stopping.",
};

export const closeMeanings: Readonly<Record<keyof typeof closeCode, string>> = {
  closed: "The session was deleted: `session_closed` was the last event. Do not reconnect.",
  released:
    "The server stops, unloads the session, or the client's rights changed. Reconnect with the last seq.",
  notText: "The client sent a binary frame. A fault of the client.",
  failed: "A fault of the server. Reconnect later with the last seq.",
  unauthorized: "The credential is no longer valid. Do not reconnect with it.",
  unknownSession: "The session does not exist or is no longer the principal's. Do not reconnect.",
  tooSlow: "The client did not read what was sent. Reconnect with the last seq.",
  damaged: "The next event is damaged; a `damaged` frame came before. Do not reconnect.",
  gap: "The cursor cannot be continued; a `gap` frame came before. Take a snapshot.",
};

export const limitMeanings: Readonly<Record<keyof typeof limits, string>> = {
  eventBytes: "One event as JSON. What is larger has attachments.",
  bodyBytes: "One request body, and one WebSocket frame of a client (close 1009). Beyond: 413.",
  bodyDepth: "Levels of nesting in a body. Beyond: 400.",
  bodyValues: "Values and keys in a body. Beyond: 400.",
  bodyTimeoutMs: "Time for a body to arrive. Beyond: 408.",
  headersTimeoutMs: "Time for the headers to arrive. Beyond: 408.",
  validationIssues: "Entries of `details.issues`.",
  eventPageDefault: "`limit` of an event page, by default.",
  eventPageMax: "`limit` of an event page, at most. Beyond: 400.",
  eventPageBytes: "An event page ends at about this size; it has at least one event.",
  sessionPageDefault: "`limit` of a session list, by default.",
  sessionPageMax: "`limit` of a session list, at most. Beyond: 400.",
  pathPageDefault: "`limit` of `GET /paths`, by default.",
  pathPageMax: "`limit` of `GET /paths`, at most. Beyond: 400.",
  projects: "Projects that can be added. Beyond: 400.",
  policyRules: "Policy rules that can be added. Beyond: 400.",
  directoryEntries: "Entries of `GET /directories`; beyond, `is_truncated` is true.",
  snapshotBytes: "The text of a snapshot. Beyond: 413; read the events instead.",
  attachmentStallMs: "A reader of an attachment that reads nothing for so long is disconnected.",
  contentBlocks: "Blocks of one message.",
  queueMessages: "Messages that wait in one session. Beyond: 429 `queue_full`.",
  queueBytes: "JSON text of the messages that wait in one session. Beyond: 429 `queue_full`.",
  openRequests: "Requests that are open at once in a session where a program asks.",
  requestTimeoutMs: "A request that is not answered for so long ends as `expired`.",
  frontendToolTimeoutMs:
    "How long a tool call waits for a page that claims it, where its declaration has no `timeout_seconds`.",
  claimMs: "How long a claim of a tool call holds.",
  claimRepeatMs: "A claim renewed sooner than this is accepted without an event.",
  catalogEntries: "Components in a session's catalog.",
  catalogSchemaBytes: "One `props_schema`, in bytes of its JSON.",
  catalogBytes: "A session's whole catalog, in bytes of its JSON.",
  catalogSchemaDepth: "Levels of a `props_schema`.",
  components: "Components that a session shows at once, beside tool calls and state keys.",
  propsBytes: "The properties of a component, in bytes of their JSON.",
  propsPatchBytes: "The `patches` of one `component_update`, in bytes of their JSON.",
  patchOperations: "Operations of one JSON Patch.",
  sharedStateBytes: "The shared state, and a patch from a client. Beyond: 413.",
  patchedStateBytes: "A `state_delta` that makes the shared state larger than this has no effect.",
  patchedStateDepth: "A `state_delta` that nests the shared state deeper has no effect.",
  keepaliveMs: "After this much silence a stream has a keepalive; also the interval of pings.",
  missedPongs: "Pings without a pong before the server drops the connection.",
  stallMs: "A reader that reads nothing of what waits for it for so long is disconnected.",
  rightsCheckMs: "How often the rights behind open streams are checked.",
  watchPauseMs: "The shortest time between two frames of `GET /watch` about the same session.",
  socketPendingCommands: "Commands of one WebSocket that wait; the server then stops reading.",
  socketPendingBytes: "The same, in bytes.",
  socketsPerPrincipal:
    "WebSockets that a principal may have open at once; one more is refused with 429.",
  socketBacklogBytes: "Answers to commands that a client has not read. Beyond: close 4408.",
  closeTimeoutMs: "Time for a client to answer a close frame.",
  drainMs: "Time for streams and agents to end when the server stops.",
  authFailuresPerMinute: "Wrong credentials per address and minute. Beyond: 429 instead of 401.",
  loginCodeMs: "How long a login link is valid; it works once.",
  loginIdleMs: "A log-in ends after this long without use.",
  loginLifeMs: "A log-in ends after this long in any case.",
  logins: "Log-ins at a time; the one unused for longest ends.",
  scopedTokens: "Scoped tokens at a time; one more is refused with 429.",
};
