import type { GlobCharacter, GlobItem, GlobItems } from './parseGlob.ts'

/** Matches any number of segments (`many`), one non-empty segment (`some`), a fixed segment, or one described by items. */
export type GlobSegment =
  | { kind: 'many' }
  | { kind: 'some' }
  | { kind: 'fixed'; text: string }
  | { kind: 'items'; items: readonly FlatItem[] }

/** A glob without alternatives. */
export type GlobPattern = readonly GlobSegment[]

type FlatItem = GlobCharacter | { kind: 'star' }

const SLASH = 47

/** The steps that are left for comparing globs. */
export type StepBudget = { left: number }

/**
 * Writes a parsed glob out as patterns, one for each combination of its alternatives, in order.
 *
 * Each item that is written is a step. Without steps left, the result is undefined.
 */
export function listPatterns(items: GlobItems, budget: StepBudget): GlobPattern[] | undefined {
  return expand(items, budget)?.map((text) => {
    const segments = splitSegments(text).map(segmentOf)
    return segments.filter(({ kind }, at) => kind !== 'many' || segments[at - 1]?.kind !== 'many')
  })
}

function expand(items: GlobItems, budget: StepBudget): FlatItem[][] | undefined {
  let texts: FlatItem[][] = [[]]
  for (const item of items) {
    const endings = expandItem(item, budget)
    if (endings === undefined) return undefined
    if (endings.length === 1) {
      const [ending = []] = endings
      budget.left -= texts.length * ending.length
      for (const text of texts) text.push(...ending)
    } else {
      texts = texts.flatMap((text) => endings.map((ending) => [...text, ...ending]))
      for (const text of texts) budget.left -= text.length
    }
    if (budget.left < 0) return undefined
  }
  return texts
}

function expandItem(item: GlobItem, budget: StepBudget): FlatItem[][] | undefined {
  if (item.kind !== 'choice') return [[item]]
  const endings: FlatItem[][] = []
  for (const alternative of item.alternatives) {
    const texts = expand(alternative, budget)
    if (texts === undefined) return undefined
    endings.push(...texts)
  }
  return endings
}

function splitSegments(items: readonly FlatItem[]): FlatItem[][] {
  let segment: FlatItem[] = []
  const segments = [segment]
  for (const item of items) {
    if (item.kind === 'literal' && item.code === SLASH) {
      segment = []
      segments.push(segment)
    } else segment.push(item)
  }
  return segments
}

function segmentOf(items: readonly FlatItem[]): GlobSegment {
  if (items.length > 0 && items.every(({ kind }) => kind === 'star')) {
    return { kind: items.length === 1 ? 'some' : 'many' }
  }
  const isFixed = items.every(({ kind }) => kind === 'literal')
  if (!isFixed) return { kind: 'items', items }
  return {
    kind: 'fixed',
    text: items.map((item) => (item.kind === 'literal' ? String.fromCodePoint(item.code) : '')).join(''),
  }
}
