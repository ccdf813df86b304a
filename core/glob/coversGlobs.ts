import { matchSegment } from './compileGlobs.ts'
import { listGlobReadings } from './decodeResource.ts'
import { type GlobPattern, type GlobSegment, parseGlob } from './parseGlob.ts'

/**
 * Whether every resource that globs of `inner` allow is also allowed by those of `outer`, as `compileAllowedGlobs` reads
 * both: as written and percent-decoded.
 *
 * The check is conservative: true is always right, but some covered globs give false, such as `[ab]` under `a` and `b`. A
 * glob that does not parse covers nothing and is not covered.
 */
export function coversGlobs(outer: readonly string[], inner: readonly string[]): boolean {
  const covering = outer.flatMap(listGlobReadings).flatMap((glob) => patternsOf(glob) ?? [])
  return inner
    .flatMap(listGlobReadings)
    .every((glob) =>
      (patternsOf(glob) ?? [UNCOVERED]).every(
        (pattern) => pattern !== UNCOVERED && covering.some((other) => covers(other, pattern)),
      ),
    )
}

const UNCOVERED: GlobPattern = []

function patternsOf(glob: string): GlobPattern[] | undefined {
  const parsed = parseGlob(glob)
  return parsed.ok ? parsed.patterns : undefined
}

/** Dynamic programming over the segments of both: `reached[n]` tells whether the first n of `inner` are covered so far. */
function covers(outer: GlobPattern, inner: GlobPattern): boolean {
  let reached = [true, ...inner.map(() => false)]
  for (const segment of outer) {
    const next: boolean[] = []
    for (let at = 0; at <= inner.length; at += 1) {
      next.push(
        segment.kind === 'many'
          ? reached[at] === true || next[at - 1] === true
          : reached[at - 1] === true && coversSegment(segment, inner[at - 1]),
      )
    }
    reached = next
  }
  return reached[inner.length] === true
}

function coversSegment(outer: GlobSegment, inner: GlobSegment | undefined): boolean {
  if (inner === undefined || inner.kind === 'many') return false
  if (outer.kind === 'some') return inner.kind !== 'fixed' || inner.text !== ''
  if (outer.kind === 'fixed') return inner.kind === 'fixed' && inner.text === outer.text
  if (outer.kind === 'many') return true
  if (inner.kind === 'fixed') return matchSegment(outer.items, inner.text, 0, inner.text.length)
  return inner.kind === 'items' && JSON.stringify(inner.items) === JSON.stringify(outer.items)
}
