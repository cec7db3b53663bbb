/** A sentence whose words in backticks are code. */
export function CodeWords({ text }: { readonly text: string }) {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
