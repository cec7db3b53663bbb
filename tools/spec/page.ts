const MARKED = /<!-- generated: ([a-z-]+) -->\n[^]*?<!-- end -->/g;

/** The page with every marked part replaced by its section. */
export function fillPage(page: string, sections: ReadonlyMap<string, string>): string {
  const used = new Set<string>();
  const filled = page.replaceAll(MARKED, (_whole, name: string) => {
    const section = sections.get(name);
    if (section === undefined) throw new Error(`PROTOCOL.md has a part ${name} that nothing makes`);
    used.add(name);
    return `<!-- generated: ${name} -->\n\n${section}\n\n<!-- end -->`;
  });
  const missing = [...sections.keys()].filter((name) => !used.has(name));
  if (missing.length > 0) throw new Error(`PROTOCOL.md lacks the parts ${missing.join(", ")}`);
  return filled;
}
