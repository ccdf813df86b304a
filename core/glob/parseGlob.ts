// Own code: glob packages accept ambiguous globs, compile to backtracking expressions, and cannot compare two globs.

/** Matches one character of a segment: a literal, any character, or a class of ranges. Characters are code points. */
export type GlobCharacter =
  | { kind: 'literal'; code: number }
  | { kind: 'any' }
  | { kind: 'class'; negated: boolean; ranges: readonly { from: number; to: number }[] }

/** Matches part of a segment: one character, or any number of them (`run`). */
export type GlobItem = GlobCharacter | { kind: 'run' }

/** Matches any number of segments (`many`), one non-empty segment (`some`), a fixed segment, or one described by items. */
export type GlobSegment =
  | { kind: 'many' }
  | { kind: 'some' }
  | { kind: 'fixed'; text: string }
  | { kind: 'items'; items: readonly GlobItem[] }

/** A glob without alternatives. */
export type GlobPattern = readonly GlobSegment[]

const GLOB_CHARS_MAX = 512

/** The patterns of a glob, one for each combination of alternatives, or what is wrong with it. */
type ParsedGlob = { ok: true; patterns: GlobPattern[] } | { ok: false; problem: string }

/**
 * Parses a resource glob: `*` matches one or more characters within a segment, `**` any number of segments, `?` one
 * character, `{a,b}` either alternative, and `[ab]`, `[a-z]` or `[!a]` one character of a class.
 *
 * Anything ambiguous is refused: `**` that is not a whole segment, a backslash, an unclosed bracket, an empty class. Inside
 * brackets, a special character is literal: `[*]`.
 */
export function parseGlob(glob: string): ParsedGlob {
  if (glob.length === 0) return refuse('is empty')
  if (glob.length > GLOB_CHARS_MAX) return refuse(`is longer than ${GLOB_CHARS_MAX} characters`)
  if (!glob.isWellFormed() || /[\p{Cc}\\]/u.test(glob)) {
    return refuse('contains a backslash or a control character; write a literal * as [*]')
  }
  const alternatives = expandBraces(glob)
  if (!alternatives.ok) return alternatives
  const patterns: GlobPattern[] = []
  for (const alternative of alternatives.texts) {
    const pattern = parsePattern(alternative)
    if (typeof pattern === 'string') return refuse(pattern)
    patterns.push(pattern)
  }
  return { ok: true, patterns }
}

function refuse(problem: string): ParsedGlob {
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
      if (characters[at + 1] === '*') return 'has ** next to other characters; it must be a whole segment'
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

const ALTERNATIVES_MAX = 64
const DEPTH_MAX = 8

/** The globs without braces that a glob expands to, or what is wrong with its braces. */
type ExpandedBraces = { ok: true; texts: string[] } | { ok: false; problem: string }

type Reading = { texts: string[]; next: number; end: '' | ',' | '}' }

/**
 * Expands the alternatives `{a,b}` of a glob, including nested ones.
 *
 * A glob with more than 64 expansions or eight levels is refused before they are built, so that a short text cannot become
 * a huge policy. Braces inside brackets are literal.
 */
function expandBraces(glob: string): ExpandedBraces {
  const reading = readSequence(glob, 0, 0)
  if (typeof reading === 'string') return { ok: false, problem: reading }
  return { ok: true, texts: reading.texts }
}

function readSequence(glob: string, from: number, depth: number): Reading | string {
  if (depth > DEPTH_MAX) return `nests braces deeper than ${DEPTH_MAX} levels`
  let texts = ['']
  let at = from
  while (at < glob.length) {
    const character = glob.charAt(at)
    if (depth > 0 && (character === ',' || character === '}')) return { texts, next: at + 1, end: character }
    if (character === '}') return 'has a } without its {'
    if (character !== '{') {
      const end = character === '[' ? endOfBrackets(glob, at) : at + 1
      const piece = glob.slice(at, end)
      texts = texts.map((text) => text + piece)
      at = end
      continue
    }
    const choice = readChoice(glob, at + 1, depth + 1)
    if (typeof choice === 'string') return choice
    if (texts.length * choice.texts.length > ALTERNATIVES_MAX) return tooMany
    texts = texts.flatMap((text) => choice.texts.map((alternative) => text + alternative))
    at = choice.next
  }
  return depth > 0 ? 'has a { without its }' : { texts, next: at, end: '' }
}

const tooMany = `expands to more than ${ALTERNATIVES_MAX} alternatives`

function readChoice(glob: string, from: number, depth: number): Reading | string {
  const texts: string[] = []
  let next = from
  for (;;) {
    const reading = readSequence(glob, next, depth)
    if (typeof reading === 'string') return reading
    texts.push(...reading.texts)
    if (texts.length > ALTERNATIVES_MAX) return tooMany
    next = reading.next
    if (reading.end === '}') return { texts, next, end: '' }
  }
}

function endOfBrackets(glob: string, from: number): number {
  const close = glob.indexOf(']', from + 2)
  return close < 0 ? glob.length : close + 1
}
