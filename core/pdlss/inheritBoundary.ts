import type { Pdlss } from './pdlss.ts'

/**
 * Fills in the fields that the boundary of a sub-agent leaves open from its parent's.
 *
 * Fields that the sub-agent states are not changed, even if they exceed the parent; `findBoundaryExcess` checks the result.
 * Days and hours without a zone are in the parent's. Denied actions of both are combined. An inherited threshold is lowered
 * to the sub-agent's own higher thresholds where needed, so that they stay in order. A sub-agent has one level less below
 * it. Spec: PDLSS object, `inheritPermissions`.
 */
export function inheritBoundary(child: Pdlss, parent: Pdlss): Pdlss {
  const purpose = fillMissing(child.purpose, parent.purpose)
  const deniedActions = [
    ...new Set([...(parent.purpose?.deniedActions ?? []), ...(child.purpose?.deniedActions ?? [])]),
  ]
  return omitAbsent({
    purpose: purpose && (deniedActions.length === 0 ? purpose : { ...purpose, deniedActions }),
    duration: fillMissing(child.duration, parent.duration),
    limits: inheritLimits(child.limits, parent.limits),
    scope: fillMissing(child.scope, parent.scope),
    selfInstantiation: fillMissing(child.selfInstantiation, descendLevel(parent.selfInstantiation)),
  })
}

function inheritLimits(child: Pdlss['limits'], parent: Pdlss['limits']): Pdlss['limits'] {
  const limits = fillMissing(child, parent)
  if (limits === undefined) return undefined
  const names = ['approvalThreshold', 'stepUpThreshold', 'autonomousThreshold'] as const
  let lowest = Number.POSITIVE_INFINITY
  for (const name of names) {
    const stated = child?.[name]
    if (stated !== undefined) lowest = Math.min(lowest, stated)
    else if (limits[name] !== undefined) limits[name] = Math.min(limits[name], lowest)
  }
  return limits
}

function descendLevel(parent: Pdlss['selfInstantiation']): Pdlss['selfInstantiation'] {
  if (parent?.maxDepth === undefined) return parent
  const maxDepth = Math.max(0, parent.maxDepth - 1)
  return { ...parent, maxDepth, allowed: parent.allowed === true && maxDepth > 0 }
}

function fillMissing<Dimension extends object>(
  child: Dimension | undefined,
  parent: Dimension | undefined,
): Dimension | undefined {
  if (child === undefined && parent === undefined) return undefined
  const stated = Object.entries(child ?? {}).filter(([, value]) => isStated(value))
  return { ...parent, ...Object.fromEntries(stated) } as Dimension
}

/** An empty list restricts nothing, like a missing one. */
function isStated(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

function omitAbsent(pdlss: { [Dimension in keyof Pdlss]: Pdlss[Dimension] | undefined }): Pdlss {
  return Object.fromEntries(Object.entries(pdlss).filter(([, value]) => value !== undefined)) as Pdlss
}
