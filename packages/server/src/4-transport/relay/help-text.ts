/** What a person or a program reads that came by HTTP. */
export function helpText(port: number): string {
  const address = `ws://127.0.0.1:${port}`;
  return [
    "This is a Turnwire relay. It speaks WebSocket:",
    "",
    `  ${address}/     for a Claude CLI (2.1.120 or older) that dials in:`,
    `      CLAUDE_CODE_SESSION_ACCESS_TOKEN=<token> claude --sdk-url ${address} -p "" \\`,
    "        --input-format stream-json --output-format stream-json --verbose",
    `  ${address}/ws   for front ends: lines of stream-json of every live session, both ways`,
    `  ${address}/ws?session=<id>   the same for one session`,
    "",
    "Both need the server's token: as Authorization: Bearer <token>, or as the WebSocket",
    "subprotocols turnwire and bearer.<token>, unless the relay runs with --no-auth.",
    "",
    "The wire is described in docs/protocol/relay.md.",
    "",
  ].join("\n");
}
