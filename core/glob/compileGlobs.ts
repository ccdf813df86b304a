import {
  type GlobCharacter,
  type GlobItem,
  type GlobPattern,
  type GlobSegment,
  parseGlob,
} from './parseGlob.ts'

/**
 * Compiles globs into a test of whether any of them matches a whole text.
 *
 * Fixed patterns become a set, `fixed/**` becomes a prefix, and the rest is matched in linear time. A glob that does not
 * parse is skipped, because the schema refuses it before it gets here.
 */
export function compileGlobs(globs: readonly string[]): (text: string) => boolean {
  const exact = new Set<string>()
  const prefixes: string[] = []
  const patterns: GlobPattern[] = []
  for (const glob of globs) {
    const parsed = parseGlob(glob)
    if (!parsed.ok) continue
    for (const pattern of parsed.patterns) {
      const isPrefix = pattern.length > 1 && pattern.at(-1)?.kind === 'many'
      const fixed = fixedTextOf(isPrefix ? pattern.slice(0, -1) : pattern)
      if (fixed === undefined) patterns.push(pattern)
      else if (isPrefix) prefixes.push(`${fixed}/`)
      else exact.add(fixed)
    }
  }
  const hasExact = exact.size > 0
  return (text) => {
    for (const prefix of prefixes) if (startsWithSegments(text, prefix)) return true
    if (hasExact && exact.has(text)) return true
    for (const pattern of patterns) if (matchPattern(pattern, text)) return true
    return false
  }
}

/** `prefix` ends with a slash, which the text may lack when no segment follows. */
function startsWithSegments(text: string, prefix: string): boolean {
  return text.startsWith(prefix) || (text.length === prefix.length - 1 && prefix.startsWith(text))
}

function fixedTextOf(pattern: GlobPattern): string | undefined {
  const texts = pattern.map((segment) => (segment.kind === 'fixed' ? segment.text : undefined))
  return texts.includes(undefined) ? undefined : texts.join('/')
}

/**
 * Whether a pattern matches a whole text.
 *
 * On a mismatch the match backtracks to the last `**` only and lets it take one more segment, as `matchSegment` does with
 * characters. For a given pattern the work is linear in the length of the text.
 */
export function matchPattern(pattern: GlobPattern, text: string): boolean {
  let index = 0
  let start = 0
  let resumeIndex = -1
  let resumeStart = 0
  const past = text.length + 1
  while (start < past || index < pattern.length) {
    const segment = pattern[index]
    if (segment?.kind === 'many') {
      index += 1
      resumeIndex = index
      resumeStart = start
      continue
    }
    if (segment !== undefined && start < past) {
      const end = endOfSegment(text, start)
      if (matchesSegment(segment, text, start, end)) {
        index += 1
        start = end + 1
        continue
      }
    }
    if (resumeIndex < 0 || resumeStart >= past) return false
    resumeStart = endOfSegment(text, resumeStart) + 1
    index = resumeIndex
    start = resumeStart
  }
  return true
}

function matchesSegment(segment: GlobSegment, text: string, start: number, end: number): boolean {
  switch (segment.kind) {
    case 'many':
      return true
    case 'some':
      return end > start
    case 'fixed':
      return segment.text.length === end - start && text.startsWith(segment.text, start)
    case 'items':
      return matchSegment(segment.items, text, start, end)
  }
}

function endOfSegment(text: string, start: number): number {
  const slash = text.indexOf('/', start)
  return slash < 0 ? text.length : slash
}

/**
 * Whether a segment of a pattern matches `text` from `start` up to `end`.
 *
 * It backtracks to the last run only: everything between two runs has a fixed length, so the leftmost match is as good as
 * any. The work is at most the length of the text times the length of the segment.
 */
export function matchSegment(items: readonly GlobItem[], text: string, start: number, end: number): boolean {
  let item = 0
  let at = start
  let resumeItem = -1
  let resumeAt = start
  while (at < end || item < items.length) {
    const current = items[item]
    if (current?.kind === 'run') {
      item += 1
      resumeItem = item
      resumeAt = at
      continue
    }
    if (current !== undefined && at < end) {
      const code = text.codePointAt(at) ?? 0
      if (matchesCharacter(current, code)) {
        item += 1
        at += code > 0xffff ? 2 : 1
        continue
      }
    }
    if (resumeItem < 0 || resumeAt >= end) return false
    resumeAt += (text.codePointAt(resumeAt) ?? 0) > 0xffff ? 2 : 1
    item = resumeItem
    at = resumeAt
  }
  return true
}

function matchesCharacter(item: GlobCharacter, code: number): boolean {
  switch (item.kind) {
    case 'any':
      return true
    case 'literal':
      return item.code === code
    case 'class':
      return item.ranges.some((range) => code >= range.from && code <= range.to) !== item.negated
  }
}
