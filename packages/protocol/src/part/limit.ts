import { MAX_PATCHED_DEPTH, MAX_PATCHED_TEXT } from "../json/apply-json-patch.ts";
import { MAX_EVENT_BYTES } from "./attachment.ts";
import { toolCallClaimMs } from "./claim-time.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * The limits of the wire, as a server has them unless its owner configured others. The page's table
 * of limits is generated from here; names end in `Bytes` or `Ms` where the value is not a count.
 */
export const limits = {
  eventBytes: MAX_EVENT_BYTES,
  bodyBytes: 20 * MIB,
  bodyDepth: 64,
  bodyValues: 200_000,
  bodyTimeoutMs: 60 * SECOND_MS,
  headersTimeoutMs: 15 * SECOND_MS,
  validationIssues: 20,
  eventPageDefault: 200,
  eventPageMax: 1000,
  eventPageBytes: 4 * MIB,
  sessionPageDefault: 50,
  sessionPageMax: 1000,
  pathPageDefault: 50,
  pathPageMax: 200,
  projects: 500,
  policyRules: 500,
  directoryEntries: 1000,
  snapshotBytes: 64 * MIB,
  attachmentStallMs: 60 * SECOND_MS,
  contentBlocks: 100,
  queueMessages: 100,
  queueBytes: 8 * MIB,
  openRequests: 100,
  requestTimeoutMs: 60 * MINUTE_MS,
  frontendToolTimeoutMs: 60 * SECOND_MS,
  claimMs: toolCallClaimMs,
  claimRepeatMs: 5 * SECOND_MS,
  catalogEntries: 100,
  catalogSchemaBytes: 16 * KIB,
  catalogBytes: 128 * KIB,
  catalogSchemaDepth: 32,
  components: 10_000,
  propsBytes: MIB,
  propsPatchBytes: 64 * KIB,
  patchOperations: 1000,
  sharedStateBytes: MAX_EVENT_BYTES - 4 * KIB,
  patchedStateBytes: MAX_PATCHED_TEXT,
  patchedStateDepth: MAX_PATCHED_DEPTH,
  keepaliveMs: 15 * SECOND_MS,
  missedPongs: 2,
  stallMs: 30 * SECOND_MS,
  rightsCheckMs: 30 * SECOND_MS,
  watchPauseMs: 250,
  socketPendingCommands: 16,
  socketsPerPrincipal: 1000,
  socketPendingBytes: MIB,
  socketBacklogBytes: MIB,
  closeTimeoutMs: 5 * SECOND_MS,
  drainMs: 10 * SECOND_MS,
  authFailuresPerMinute: 10,
  loginCodeMs: 10 * MINUTE_MS,
  loginIdleMs: 7 * DAY_MS,
  loginLifeMs: 90 * DAY_MS,
  logins: 100,
  scopedTokens: 100,
} as const;
