/** Containers (quotes, lists, items) in each other; deeper markers are text. */
export const maximumBlockDepth = 64;

/** Emphasis, strong and strikethrough in each other; deeper markers are text. */
export const maximumInlineDepth = 32;

/** A paragraph, heading or cell longer than this is shown as plain text, so that no inline parse is long. */
export const maximumInlineLength = 32_768;

/** A header row with more columns is a paragraph. */
export const maximumColumns = 128;

/** Longer URLs and titles are text; also bounds how far an unclosed one is looked for. */
export const maximumUrlLength = 2_048;

/** Data images are long by nature. */
export const maximumDataUrlLength = 32_768;

/** CommonMark's own limit for what stands between the brackets of a reference. */
export const maximumLabelLength = 999;

/** Code longer than this is not highlighted. */
export const maximumHighlightLength = 200_000;
