// Own code: glob packages accept ambiguous globs, compile to backtracking expressions, and cannot compare two globs.

/** Matches one character: a literal, any but a slash, or a class of ranges. Characters are code points. */
export type GlobCharacter =
  | { kind: 'literal'; code: number }
  | { kind: 'any' }
  | { kind: 'class'; negated: boolean; ranges: readonly { from: number; to: number }[] }

/** A part of a glob: a character, `*`, or the alternatives of a brace. Two stars in a row are a whole segment `**`. */
export type GlobItem =
  | GlobCharacter
  | { kind: 'star' }
  | { kind: 'choice'; alternatives: readonly GlobItems[] }

export type GlobItems = readonly GlobItem[]

const GLOB_CHARS_MAX = 512
const ALTERNATIVES_MAX = 64
const DEPTH_MAX = 8

/** The items of a glob, or what is wrong with it. */
type ParsedGlob = { ok: true; items: GlobItems } | { ok: false; problem: string }

/**
 * Parses a resource glob: `*` matches one or more characters within a segment, `**` any number of segments, `?` one
 * character, `{a,b}` either alternative, and `[ab]`, `[a-z]` or `[!a]` one character of a class.
 *
 * Anything ambiguous is refused: `**` that is not a whole segment, a backslash, an unclosed bracket, an empty class. Inside
 * brackets, a special character is literal: `[*]`. A glob with more than 64 combinations of alternatives or eight levels is
 * refused too.
 */
export function parseGlob(glob: string): ParsedGlob {
  if (glob.length === 0) return refuse('is empty')
  if (glob.length > GLOB_CHARS_MAX) return refuse(`is longer than ${GLOB_CHARS_MAX} characters`)
  if (!glob.isWellFormed() || /[\p{Cc}\\]/u.test(glob)) {
    return refuse('contains a backslash or a control character; write a literal * as [*]')
  }
  const sequence = readSequence([...glob], 0, 0)
  if (typeof sequence === 'string') return refuse(sequence)
  const problem = findMisplaced(sequence.items)
  return problem === undefined ? { ok: true, items: sequence.items } : refuse(problem)
}

function refuse(problem: string): ParsedGlob {
  return { ok: false, problem }
}

/** `count` is the number of combinations of alternatives; `next` is the position after the sequence. */
type Sequence = { items: GlobItem[]; count: number; next: number; end: '' | ',' | '}' }

/** A bracket that is not closed within its segment. */
const UNCLOSED: GlobItem = { kind: 'class', negated: false, ranges: [] }

function readSequence(glob: readonly string[], from: number, depth: number): Sequence | string {
  if (depth > DEPTH_MAX) return `nests braces deeper than ${DEPTH_MAX} levels`
  const items: GlobItem[] = []
  let count = 1
  let at = from
  while (at < glob.length) {
    const character = glob[at] ?? ''
    if (depth > 0 && (character === ',' || character === '}')) {
      return { items, count, next: at + 1, end: character }
    }
    if (character === '}') return 'has a } without its {'
    if (character === '{') {
      const choice = readChoice(glob, at + 1, depth + 1)
      if (typeof choice === 'string') return choice
      count *= choice.count
      if (count > ALTERNATIVES_MAX) return TOO_MANY
      items.push(...choice.items)
      at = choice.next
      continue
    }
    const close = character === '[' ? glob.indexOf(']', at + 2) : at
    const end = close < 0 ? glob.length : close + 1
    items.push(readItem(glob.slice(at, end), close >= 0))
    at = end
  }
  return depth > 0 ? 'has a { without its }' : { items, count, next: at, end: '' }
}

const TOO_MANY = `expands to more than ${ALTERNATIVES_MAX} alternatives`

function readChoice(glob: readonly string[], from: number, depth: number): Sequence | string {
  const alternatives: GlobItem[][] = []
  let count = 0
  let next = from
  for (;;) {
    const sequence = readSequence(glob, next, depth)
    if (typeof sequence === 'string') return sequence
    alternatives.push(sequence.items)
    count += sequence.count
    if (count > ALTERNATIVES_MAX) return TOO_MANY
    next = sequence.next
    if (sequence.end !== '}') continue
    const [only = []] = alternatives
    return {
      items: alternatives.length === 1 ? only : [{ kind: 'choice', alternatives }],
      count,
      next,
      end: '',
    }
  }
}

/** Braces inside brackets are literal; a slash is not, because a class matches within a segment. */
function readItem(characters: readonly string[], isClosed: boolean): GlobItem {
  const [first] = characters
  if (first === '*') return { kind: 'star' }
  if (first === '?') return { kind: 'any' }
  if (first !== '[') return { kind: 'literal', code: codeOf(first) }
  return isClosed && !characters.includes('/') ? parseClass(characters.slice(1, -1)) : UNCLOSED
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

/** What may stand before an item, as bits, because alternatives end differently: `{*,a}*` has both `**` and `a*`. */
const START = 1
const OTHER = 2
const STAR_AT_START = 4
const WHOLE_STARS = 8
const STAR_AFTER_OTHER = 16
const SLASH = 47

function findMisplaced(items: GlobItems): string | undefined {
  if (hasUnclosed(items)) return 'has a [ without its ]'
  return followStars(items, START) === undefined
    ? 'has ** next to other characters; it must be a whole segment'
    : undefined
}

function hasUnclosed(items: GlobItems): boolean {
  return items.some(
    (item) => item === UNCLOSED || (item.kind === 'choice' && item.alternatives.some(hasUnclosed)),
  )
}

/** What may stand before whatever follows the items; undefined if two stars are not a whole segment. */
function followStars(items: GlobItems, from: number): number | undefined {
  let before = from
  for (const item of items) {
    const after = followItem(item, before)
    if (after === undefined) return undefined
    before = after
  }
  return before
}

function followItem(item: GlobItem, before: number): number | undefined {
  if (item.kind === 'choice') {
    const ends = item.alternatives.map((alternative) => followStars(alternative, before))
    return ends.includes(undefined) ? undefined : ends.reduce<number>((all, end) => all | (end ?? 0), 0)
  }
  if (item.kind === 'literal' && item.code === SLASH) return START
  if (before & WHOLE_STARS) return undefined
  if (item.kind !== 'star') return OTHER
  if (before & STAR_AFTER_OTHER) return undefined
  return (
    (before & START ? STAR_AT_START : 0) |
    (before & OTHER ? STAR_AFTER_OTHER : 0) |
    (before & STAR_AT_START ? WHOLE_STARS : 0)
  )
}
