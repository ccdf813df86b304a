import { indexTexts, type TextIndex } from './indexTexts.ts'
import { matchItems } from './matchItems.ts'
import { type GlobItem, type GlobItems, parseGlob } from './parseGlob.ts'

/**
 * Compiles globs into a test of whether any of them matches any of some whole texts.
 *
 * Fixed globs become a set, `fixed/**` becomes a prefix, and a glob with one star is compared at both ends. The others are
 * matched against all texts at once. A glob that does not parse is skipped, because the schema refuses it before it gets
 * here.
 */
export function compileGlobs(globs: readonly string[]): (...texts: readonly string[]) => boolean {
  const exact = new Set<string>()
  const prefixes: string[] = []
  const stars: Pattern[] = []
  const patterns: Pattern[] = []
  for (const glob of globs) {
    const parsed = parseGlob(glob)
    if (!parsed.ok) continue
    const pattern = splitEnds(parsed.items)
    if (pattern.between.length === 0) exact.add(pattern.prefix)
    else if (pattern.suffix === '' && isStars(pattern.between, 2)) prefixes.push(pattern.prefix)
    else if (isStars(pattern.between, 1)) stars.push(pattern)
    else patterns.push(pattern)
  }
  return (...texts) => {
    for (const text of texts) {
      for (const prefix of prefixes) if (startsWithSegments(text, prefix)) return true
      if (exact.has(text)) return true
      for (const star of stars) if (matchesStar(star, text)) return true
    }
    return patterns.length > 0 && matchesAny(patterns, texts)
  }
}

function matchesAny(patterns: readonly Pattern[], texts: readonly string[]): boolean {
  let index: TextIndex | undefined
  const [text = ''] = texts
  for (const { prefix, between, suffix, from, suffixLength, items } of patterns) {
    if (texts.length > 1) {
      index ??= indexTexts(texts)
      if (matchItems(items, index, index.starts, index.ends)) return true
    } else if (startsWithSegments(text, prefix) && endsWithSegments(text, suffix)) {
      index ??= indexTexts(texts)
      if (matchItems(between, index, from, index.ends >> suffixLength)) return true
    }
  }
  return false
}

/** The items of a glob, and those between its literal ends; `from` is the position after the prefix and an added slash. */
type Pattern = {
  items: GlobItems
  prefix: string
  between: GlobItems
  suffix: string
  from: bigint
  suffixLength: bigint
}

function splitEnds(items: GlobItems): Pattern {
  const isOther = (item: GlobItem) => item.kind !== 'literal'
  const first = items.findIndex(isOther)
  const start = first < 0 ? items.length : first
  const end = items.findLastIndex(isOther) + 1
  return {
    items,
    prefix: textOf(items.slice(0, start)),
    between: first < 0 ? [] : items.slice(start, end),
    suffix: first < 0 ? '' : textOf(items.slice(end)),
    from: 1n << BigInt(start + 1),
    suffixLength: BigInt(items.length - end),
  }
}

function textOf(items: GlobItems): string {
  return items.map((item) => (item.kind === 'literal' ? String.fromCodePoint(item.code) : '')).join('')
}

function isStars(items: GlobItems, count: number): boolean {
  return items.length === count && items.every(({ kind }) => kind === 'star')
}

/** A prefix that ends with a slash may be followed by `**`, so the text may lack this slash. */
function startsWithSegments(text: string, prefix: string): boolean {
  return text.startsWith(prefix) || (text.length === prefix.length - 1 && prefix.startsWith(text))
}

function endsWithSegments(text: string, suffix: string): boolean {
  return text.endsWith(suffix) || (text.length === suffix.length - 1 && suffix.endsWith(text))
}

function matchesStar({ prefix, suffix }: Pattern, text: string): boolean {
  if (!text.startsWith(prefix) || !text.endsWith(suffix)) return false
  const end = text.length - suffix.length
  if (end <= prefix.length) return false
  const slash = text.indexOf('/', prefix.length)
  return slash < 0 || slash >= end
}
