/** Where a word that the glossary avoids rightly means something else. */
export const otherMeanings: readonly {
  readonly word: string;
  readonly where: RegExp;
  readonly reason: string;
}[] = [
  {
    word: "thread",
    where:
      /\/(runtime-)?codex\/|openai-standin\/|^bench\/codex|^(ARCHITECTURE|PROTOCOL)\.md$|^docs\/protocol\//,
    reason: "Codex calls its own sessions threads",
  },
  {
    word: "thread",
    where:
      /^(bench|packages\/log|packages\/markdown|docs\/decisions)\/|model\/event-loop|2-session\/(evaluation|test-support\/direct)|write-pace|serve\.system\.test/,
    reason: "a thread of a process",
  },
  {
    word: "thread",
    where: /session-configuration\.ts$|session-option(\.test)?\.ts$/,
    reason: "`max_threads`, which clients of Codex know by that name",
  },
  {
    word: "dump",
    where: /^docs\/guides\/deploy\.md$/,
    reason: "pg_dump, a program of Postgres",
  },
  {
    word: "journal",
    where: /\/sqlite\/|\/test-support\/(hosts-)?model\/|bench\/server\/bare-sql/,
    reason: "SQLite's journal file, and what the model tests have seen of its agents",
  },
  {
    word: "notification",
    where:
      /\/((runtime-)?(codex|claude)|stream-json)\/|^docs\/guides\/write-a-runtime|^docs\/protocol\/stream-json/,
    reason: "messages of JSON-RPC and of the Agent SDK",
  },
  {
    word: "notification",
    where: /\/store\/postgres\/|bare-postgres/,
    reason: "what NOTIFY of Postgres sends, an event of its driver",
  },
  {
    word: "backend",
    where: /\/store\/postgres\//,
    reason: "the process of Postgres behind a connection, as its functions name it",
  },
  {
    word: "notification",
    where: /^apps\/web\/|packages\/web\.md/,
    reason: "notifications of the browser",
  },
  {
    word: "blob",
    where:
      /\/store\/|2-session\/(?:attachment\.test|test-support\/message-with-picture)|wire-webkit\/src\/dialect\/frame\.test/,
    reason: "the tables of the store, and data that an agent might send",
  },
  {
    word: "blob",
    where: /^apps\/web\/|web-app\.ts|markdown\/src\/test-support\/attack|^docs\/site\//,
    reason: "the browser's Blob and its URLs, and the address of a file at GitHub",
  },
  { word: "side effect", where: /^docs\/decisions\/0004/, reason: "what tools do to the world" },
  {
    word: "bubble",
    where: /\.browser\.test\.ts$|talk-in-page\.js$/,
    reason: "an option of DOM events",
  },
  { word: "backend", where: /^examples\/react-page\/proxy/, reason: "the embedder's own server" },
  {
    word: "engine",
    where: /^tools\/|^packages\/log\/README/,
    reason: "the field of package.json, and database engines",
  },
  { word: "paused", where: /rights-watch\.test/, reason: "a socket that does not read" },
  {
    word: "thread",
    where: /^packages\/policy\/src\/program\//,
    reason: "options of programs such as rg and git",
  },
  { word: "engine", where: /^packages\/policy\/src\/program\//, reason: "an option of rg" },
];

/** Names that were given up, with what took their place. */
export const retiredNames: ReadonlyMap<string, string> = new Map([
  ["Admission", "AdmitContext or GateResult"],
  ["Alongside", "AppendExtras"],
  ["Answer", "RequestAnswer or HttpResponse"],
  ["Asks", "PendingRequests"],
  ["claimTells", "ignore"],
  ["Course", "FollowContext"],
  ["detachTold", "ignoreRejection"],
  ["Held", "LeasedSession"],
  ["Kept", "StoredSession"],
  ["lifeRoutes", "lifecycleRoutes"],
  ["Moment", "StepInput"],
  ["nextIdleTriesAgain", "ignore"],
  ["nobodyWaits", "ignore"],
  ["Placed", "Sequenced or PlacedComponent"],
  ["Said", "MessageCommand"],
  ["Seat", "ItemPlace"],
  ["Showing", "ResolvedComponent"],
  ["showingFrom", "resolveComponent"],
  ["theExitTells", "ignore"],
  ["toldInView", "ignore"],
  ["Tongue", "WireFormat"],
  ["Turnstile", "Semaphore"],
  ["WriterSeat", "SessionClaim"],
]);

/** The demo agent's sentences, and the tests that look for them. */
const demoWords = /\/demo\/scenario\/|^apps\/web\/src\/feature\/conversation\/\w+\.browser\.test/;

/** Wording that a reader of plain technical English would stumble over. */
export const avoidedPhrases: readonly {
  readonly phrase: RegExp;
  readonly write: string;
  /** Files with a quotation or a name of somebody else's. */
  readonly except?: RegExp;
}[] = [
  {
    phrase: /\b[Nn]obody\b/,
    write: "no one, no reader, unknown …",
    except: demoWords,
  },
  { phrase: /\b(is|are|was|were|been|being|be) told\b/, write: "is notified, is reported, learns" },
  {
    phrase: /\bgoes on\b|\bgo on with\b|\bwent on\b/,
    write: "continues, resumes",
    except: demoWords,
  },
  { phrase: /\bin vain\b/, write: "what happened instead" },
  { phrase: /\bthe line to the server\b|\bhow the line is\b/, write: "the connection" },
  { phrase: /\bwhere it lies\b/, write: "its location" },
  { phrase: /\ba (minute|second) and (address|session|reader)\b/, write: "per minute and address" },
  { phrase: /\banew\b/, write: "again, from the start" },
  { phrase: /\bst(ands?|ood|anding) for\b/, write: "represents, means, is" },
  { phrase: /\b[Uu]ntil then\b/, write: "before that" },
  {
    phrase:
      /(?<!\b(there|may|would) )\b(is|are|was|were|be|been) no (?!one\b|(\w+ )?(longer|more|less|way|reason)\b|\w+er\b|single\b|new\b)/i,
    write: "is not a …",
  },
  {
    phrase:
      /\b(one|two|three|\d+) (row|frame|message|object|method|script|delivery|event)s? an? (event|line|route|turn|second)\b/,
    write: "one frame per event",
  },
];
