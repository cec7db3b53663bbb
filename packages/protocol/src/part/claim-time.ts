/** How long a claim of a tool call holds; whoever performs the call renews it in good time. */
export const toolCallClaimMs = 30_000;
