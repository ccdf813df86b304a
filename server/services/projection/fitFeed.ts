import { hashLeaf, isSameHash } from '@svc/core/audit/merkleHash.ts'
import type { ProjectionStore } from '../../store/feed/projectionStore.ts'

/**
 * Empties a feed that was not derived from this log, and answers whether it had to.
 *
 * A log restored from a backup is shorter than the feed beside it, or goes on differently; either shows at the last
 * record the feed holds, because every entry has a random salt.
 */
export function fitFeed(store: ProjectionStore): boolean {
  return store.transaction(() => {
    const last = store.nextSeq() - 1
    if (last < 0) return false
    const [record] = store.records(last, 1)
    const leaf = store.node({ level: 0, index: last })
    if (record?.seq === last && leaf !== null && isSameHash(leaf, hashLeaf(record.entry))) return false
    store.clear()
    return true
  })
}
