import { findStringEnd } from './findStringEnd.ts'

/**
 * Returns the text of each message of a batch exactly as it was sent. Serialising the messages again would change numbers: long
 * identifiers lose digits, and `1e999` becomes null.
 *
 * @param text Valid JSON, a list that is not empty.
 */
export function splitBatch(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = findStringEnd(text, at)
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth === 1) start = at + 1
    } else if (depth === 1 && (character === ',' || character === ']')) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    } else if (character === '}' || character === ']') depth -= 1
  }
  return parts
}
