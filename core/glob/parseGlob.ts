import { expandBraces } from './expandBraces.ts'
import type { GlobCharacter, GlobItem, GlobPattern, GlobSegment } from './globPattern.ts'

const GLOB_CHARS_MAX = 512

/** The patterns a glob stands for, one for each choice of alternatives, or what is wrong with it. */
type ParsedGlob = { ok: true; patterns: GlobPattern[] } | { ok: false; problem: string }

/**
 * Parses a resource glob: `*` one or more characters within a segment, `**` any number of segments, `?` one character,
 * `{a,b}` alternatives, `[ab]`, `[a-z]`, `[!a]` one character of a set.
 *
 * Anything that could be read in two ways is refused: `**` that is not a whole segment, a backslash, an unclosed bracket,
 * an empty set. A sign is meant literally inside brackets: `[*]`.
 */
export function parseGlob(glob: string): ParsedGlob {
  if (glob.length === 0) return refused('is empty')
  if (glob.length > GLOB_CHARS_MAX) return refused(`is longer than ${GLOB_CHARS_MAX} characters`)
  if (!glob.isWellFormed() || /[\p{Cc}\\]/u.test(glob)) {
    return refused('holds a backslash or a control character; write a sign literally as [*]')
  }
  const alternatives = expandBraces(glob)
  if (!alternatives.ok) return alternatives
  const patterns: GlobPattern[] = []
  for (const alternative of alternatives.texts) {
    const pattern = parsePattern(alternative)
    if (typeof pattern === 'string') return refused(pattern)
    patterns.push(pattern)
  }
  return { ok: true, patterns }
}

function refused(problem: string): ParsedGlob {
  return { ok: false, problem }
}

function parsePattern(text: string): GlobPattern | string {
  const segments: GlobSegment[] = []
  for (const segmentText of text.split('/')) {
    if (segmentText === '**') {
      if (segments.at(-1)?.kind !== 'many') segments.push({ kind: 'many' })
      continue
    }
    const segment = parseSegment(segmentText)
    if (typeof segment === 'string') return segment
    segments.push(segment)
  }
  return segments
}

function parseSegment(text: string): GlobSegment | string {
  if (text === '*') return { kind: 'some' }
  const items: GlobItem[] = []
  const characters = [...text]
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    if (character === '*') {
      if (characters[at + 1] === '*') return 'has ** beside other characters; it must be a whole segment'
      items.push({ kind: 'any' }, { kind: 'run' })
    } else if (character === '?') {
      items.push({ kind: 'any' })
    } else if (character === '[') {
      const end = characters.indexOf(']', at + 2)
      if (end < 0) return 'has a [ without its ]'
      items.push(parseClass(characters.slice(at + 1, end)))
      at = end
    } else {
      items.push({ kind: 'literal', code: codeOf(character) })
    }
  }
  return items.every((item) => item.kind === 'literal') ? { kind: 'fixed', text } : { kind: 'items', items }
}

function parseClass(characters: readonly string[]): GlobCharacter {
  const negated = characters[0] === '!' && characters.length > 1
  const members = negated ? characters.slice(1) : characters
  const ranges: { from: number; to: number }[] = []
  for (let at = 0; at < members.length; at += 1) {
    const from = codeOf(members[at])
    const isRange = members[at + 1] === '-' && at + 2 < members.length
    const to = isRange ? codeOf(members[at + 2]) : from
    ranges.push({ from: Math.min(from, to), to: Math.max(from, to) })
    if (isRange) at += 2
  }
  return { kind: 'class', negated, ranges }
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0
}
