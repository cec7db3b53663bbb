/** The files of a paste. Office programs copy a picture of the text along with the text: the text is wanted. */
export function pastedFiles(clipboard: DataTransfer): readonly File[] {
  return clipboard.types.includes("text/plain") ? [] : [...clipboard.files];
}
