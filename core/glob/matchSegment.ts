import type { GlobCharacter, GlobItem } from './globPattern.ts'

/**
 * Says whether `text` from `start` up to `end` is what one segment of a pattern describes.
 *
 * Goes back only to the last run, never further: every other character of a pattern has a fixed length, so the leftmost
 * place where a stretch fits is as good as any. Work is at most (length of the text) × (length of the segment).
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
