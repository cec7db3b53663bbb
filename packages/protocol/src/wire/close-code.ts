/** The codes with which the server closes a WebSocket. */
export const closeCode = {
  closed: 1000,
  released: 1001,
  notText: 1003,
  failed: 1011,
  unauthorized: 4401,
  unknownSession: 4404,
  tooSlow: 4408,
  damaged: 4409,
  gap: 4412,
} as const;
