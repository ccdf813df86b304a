import type { GlobPattern, GlobSegment } from './globPattern.ts'
import { matchSegment } from './matchSegment.ts'

/**
 * Says whether a whole text is what a pattern describes, segment by segment.
 *
 * `**` is treated as a run of segments just as `*` is one of characters: on a mismatch the match goes back to the last
 * `**` only and lets it take one segment more. Linear in the text for any given pattern.
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
