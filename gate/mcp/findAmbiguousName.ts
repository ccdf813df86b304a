import { findStringEnd } from './findStringEnd.ts'

/**
 * Returns a name that an object of a JSON text has twice; undefined if there is none.
 *
 * Parsers differ in which of the two members counts, so the gate could verify one call and the server carry out another.
 *
 * @param text Valid JSON.
 * Source: RFC 8259 §4.
 */
export function findAmbiguousName(text: string): string | undefined {
  /** Names of each open object; null for a list. */
  const open: (Set<string> | null)[] = []
  let last = ''
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      const end = findStringEnd(text, at)
      last = text.slice(at, end + 1)
      at = end
    } else if (character === '{') open.push(new Set())
    else if (character === '[') open.push(null)
    else if (character === '}' || character === ']') open.pop()
    else if (character === ':') {
      const name: string = JSON.parse(last)
      const names = open.at(-1)
      if (names?.has(name)) return name
      names?.add(name)
    }
  }
  return undefined
}
