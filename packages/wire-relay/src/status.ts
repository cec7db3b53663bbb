/** What front ends learn of the agents that dial in: exactly these, as they compare texts. */
export const status = {
  connected: line("claude code connected"),
  isConnected: line("claude code is connected"),
  disconnected: line("claude code disconnected"),
} as const;

function line(text: string): string {
  return `${JSON.stringify({ type: "status", text })}\n`;
}
