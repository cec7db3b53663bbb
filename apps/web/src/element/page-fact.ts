/** What the server has written into the page under a name; nothing where it wrote nothing. */
export function pageFact(name: string): string {
  const tag = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  return tag?.content ?? "";
}
