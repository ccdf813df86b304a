/** A name of a field as words: `oldestSeconds` is `oldest seconds`, `externally_governed` is `externally governed`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
