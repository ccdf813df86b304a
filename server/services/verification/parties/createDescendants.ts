export type DescendantsOptions = {
  /** How many pairs of a sub-agent and an ancestor are remembered. */
  max: number
  /** Discards what was computed for a sub-agent, also while it is computed. */
  forget(svcId: string): void
}

/**
 * Remembers which sub-agents were loaded with settings of which ancestors, to forget them when an ancestor changes.
 *
 * Beyond `max` pairs, all of them are forgotten. Sub-agents that are no longer cached stay until one of their ancestors
 * changes.
 */
export function createDescendants({ max, forget }: DescendantsOptions) {
  const byAncestor = new Map<string, Set<string>>()
  let count = 0
  const forgetBelow = (ancestorId: string): void => {
    const below = byAncestor.get(ancestorId)
    if (below === undefined) return
    byAncestor.delete(ancestorId)
    count -= below.size
    for (const svcId of below) forget(svcId)
  }
  return {
    /** Call before the ancestor is read, so that a change in the meantime discards what is computed from it. */
    add(ancestorId: string, svcId: string): void {
      if (byAncestor.get(ancestorId)?.has(svcId)) return
      if (count >= max) for (const id of [...byAncestor.keys()]) forgetBelow(id)
      const below = byAncestor.get(ancestorId) ?? new Set()
      byAncestor.set(ancestorId, below.add(svcId))
      count += 1
    },
    /** Forgets the remembered descendants of an agent. */
    forgetBelow,
  }
}
