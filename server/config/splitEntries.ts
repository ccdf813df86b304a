/** Splits a setting into entries, which commas or line breaks separate; a line that begins with `#` is a comment. */
export function splitEntries(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
