/** The text that is encoded in base64, as UTF-8. */
export function textFromBase64(data: string): string {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
