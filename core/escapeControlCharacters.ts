/**
 * A text with some of its signs shown by their numbers (`[U+202E]`), for where they would do something unseen.
 *
 * @param signs A global pattern that matches one of them at a time, none beyond U+FFFF.
 */
export function escapeControlCharacters(text: string, signs: RegExp): string {
  return text.replace(
    signs,
    (sign) => `[U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}
