const WORD = /[\p{L}\p{N}_]+/gu

/** The words of a text in small letters, as a search compares them. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}
