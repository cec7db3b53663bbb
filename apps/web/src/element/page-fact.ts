/** What the server has written into the page under a name; nothing where it wrote nothing. */
export function pageFact(name: string): string {
  return document.getElementsByName(name)[0]?.getAttribute("content") ?? "";
}
