import { listGlobReadings } from './decodeResource.ts'
import { indexTexts, type TextIndex } from './indexTexts.ts'
import { type GlobPattern, type GlobSegment, listPatterns, type StepBudget } from './listPatterns.ts'
import { matchItems } from './matchItems.ts'
import { parseGlob } from './parseGlob.ts'

/** Enough to compare a hundred globs of six segments with a hundred others. */
const STEPS_MAX = 300_000

/**
 * Whether every resource that globs of `inner` allow is also allowed by those of `outer`, as `compileAllowedGlobs` reads
 * both: as written and percent-decoded.
 *
 * The check is conservative: true is always right, but some covered globs give false, such as `[ab]` under `a` and `b`, and
 * globs that would take too long to compare, since the comparison runs while a transaction waits for it. A glob that stands
 * in both lists is always covered. A glob that does not parse covers nothing and is not covered.
 */
export function coversGlobs(outer: readonly string[], inner: readonly string[]): boolean {
  const above = new Set(outer.flatMap(listGlobReadings))
  const own = inner.flatMap(listGlobReadings)
  if (!own.every((glob) => parseGlob(glob).ok)) return false
  const others = own.filter((glob) => !above.has(glob))
  if (others.length === 0) return true
  const budget: Budget = { left: STEPS_MAX, indexes: new Map() }
  const covering = listAll([...above], budget)
  const isCovered = (pattern: GlobPattern) => covering.some((other) => covers(other, pattern, budget))
  return listAll(others, budget).every(isCovered) && budget.left >= 0
}

/** The steps that are left, and the fixed segments that have been indexed, each of which is compared with many globs. */
type Budget = StepBudget & { indexes: Map<string, TextIndex> }

function listAll(globs: readonly string[], budget: StepBudget): GlobPattern[] {
  return globs.flatMap((glob) => {
    const parsed = parseGlob(glob)
    return (parsed.ok && listPatterns(parsed.items, budget)) || []
  })
}

/** Dynamic programming over the segments of both: `reached[n]` tells whether the first n of `inner` are covered so far. */
function covers(outer: GlobPattern, inner: GlobPattern, budget: Budget): boolean {
  let reached = [true, ...inner.map(() => false)]
  for (const segment of outer) {
    budget.left -= reached.length
    if (budget.left < 0 || !reached.includes(true)) return false
    const next: boolean[] = []
    for (let at = 0; at <= inner.length; at += 1) {
      next.push(
        segment.kind === 'many'
          ? reached[at] === true || next[at - 1] === true
          : reached[at - 1] === true && coversSegment(segment, inner[at - 1], budget),
      )
    }
    reached = next
  }
  return reached[inner.length] === true
}

function coversSegment(outer: GlobSegment, inner: GlobSegment | undefined, budget: Budget): boolean {
  if (inner === undefined || inner.kind === 'many') return false
  if (outer.kind === 'some') return inner.kind !== 'fixed' || inner.text !== ''
  if (outer.kind === 'fixed') return inner.kind === 'fixed' && inner.text === outer.text
  if (outer.kind === 'many') return true
  if (inner.kind === 'fixed') {
    budget.left -= inner.text.length + 2 * outer.items.length
    const text = budget.indexes.get(inner.text) ?? indexTexts([inner.text])
    budget.indexes.set(inner.text, text)
    return matchItems(outer.items, text, text.starts, text.ends)
  }
  if (inner.kind !== 'items' || inner.items.length !== outer.items.length) return false
  budget.left -= outer.items.length
  return JSON.stringify(inner.items) === JSON.stringify(outer.items)
}
