/**
 * Shows characters that would have an invisible effect by their code points, such as `[U+202E]`.
 *
 * @param characters A global pattern that matches one of them at a time, none above U+FFFF.
 */
export function escapeControlCharacters(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => {
    const codePoint = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    return `[U+${codePoint}]`
  })
}
