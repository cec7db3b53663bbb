type Argv = readonly (string | readonly string[])[];

const plainWord = /^[\w@%+=:./~^-]+$/;

/** The first words of a command as people write them in a shell; `{a,b}` matches any of its words. */
export function textFromArgv(words: Argv): string {
  return words
    .map((word) => (typeof word === "string" ? quoted(word) : `{${word.join(",")}}`))
    .join(" ");
}

function quoted(word: string): string {
  return plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The words of a text, without what a shell would do with them; undefined where a quote is not closed. */
export function argvFromText(text: string): Argv | undefined {
  const words: (string | readonly string[])[] = [];
  let word: string | undefined;
  let isQuoted = false;
  let quote: string | undefined;
  const add = (sign: string): void => {
    word = (word ?? "") + sign;
  };
  const end = (): void => {
    if (word !== undefined) words.push(isQuoted ? word : anyOf(word));
    word = undefined;
    isQuoted = false;
  };
  for (let place = 0; place < text.length; place += 1) {
    const sign = text.charAt(place);
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
      else add(sign);
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      isQuoted = true;
      add("");
    } else if (sign === "\\" && place + 1 < text.length) {
      place += 1;
      isQuoted = true;
      add(text.charAt(place));
    } else if (/\s/.test(sign)) end();
    else add(sign);
  }
  if (quote !== undefined) return undefined;
  end();
  return words;
}

function anyOf(word: string): string | readonly string[] {
  const [, inner] = /^\{([^{}]+)\}$/.exec(word) ?? [];
  const choices = inner?.split(",").filter((choice) => choice !== "") ?? [];
  return choices.length > 1 ? choices : word;
}
