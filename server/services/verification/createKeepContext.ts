import type { DecisionContextStore } from '../../store/audit/auditExportStore.ts'
import type { DecisionContext } from './decisionContext.ts'

/**
 * Maximum number of hashes remembered as stored; beyond it, the memory is cleared, and a context is at worst inserted
 * again.
 */
const MAX_REMEMBERED = 100_000

export type KeepContext = (context: DecisionContext) => Promise<void>

/**
 * Creates the function that stores a context before any decision is based on it.
 *
 * It runs whenever an agent or endpoint is loaded for the hot path, so that no code that changes one can forget it.
 */
export function createKeepContext(contexts: Pick<DecisionContextStore, 'keep'>): KeepContext {
  let remembered = new Set<string>()
  return async ({ hash, document }) => {
    if (remembered.has(hash)) return
    await contexts.keep(hash, document)
    if (remembered.size >= MAX_REMEMBERED) remembered = new Set()
    remembered.add(hash)
  }
}
