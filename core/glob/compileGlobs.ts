import type { GlobPattern } from './globPattern.ts'
import { matchPattern } from './matchPattern.ts'
import { parseGlob } from './parseGlob.ts'

/**
 * Compiles a list of globs into one question: does any of them describe this whole text?
 *
 * Patterns without signs become a set, `fixed/**` a prefix, the rest are matched in linear time. A glob that does not
 * parse is skipped here: the schema has refused it before.
 */
export function compileGlobs(globs: readonly string[]): (text: string) => boolean {
  const exact = new Set<string>()
  const prefixes: string[] = []
  const patterns: GlobPattern[] = []
  for (const glob of globs) {
    const parsed = parseGlob(glob)
    if (!parsed.ok) continue
    for (const pattern of parsed.patterns) {
      const fixed = fixedTextOf(pattern.at(-1) === '**' ? pattern.slice(0, -1) : pattern)
      if (fixed === undefined) patterns.push(pattern)
      else if (pattern.at(-1) !== '**') exact.add(fixed)
      else if (pattern.length === 1) patterns.push(pattern)
      else {
        exact.add(fixed)
        prefixes.push(`${fixed}/`)
      }
    }
  }
  return (text) =>
    exact.has(text) ||
    prefixes.some((prefix) => text.startsWith(prefix)) ||
    patterns.some((pattern) => matchPattern(pattern, text))
}

function fixedTextOf(pattern: GlobPattern): string | undefined {
  const segments: string[] = []
  for (const segment of pattern) {
    if (segment === '**') return undefined
    let text = ''
    for (const item of segment) {
      if (item.kind !== 'literal') return undefined
      text += String.fromCodePoint(item.code)
    }
    segments.push(text)
  }
  return segments.join('/')
}
