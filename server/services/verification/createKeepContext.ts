import type { DecisionContextStore } from '../../store/audit/auditExportStore.ts'
import type { DecisionContext } from './decisionContext.ts'

/** Hashes remembered as kept; past it the memory starts anew and a text is at worst offered to the table again. */
const MAX_REMEMBERED = 100_000

export type KeepContext = (context: DecisionContext) => Promise<void>

/**
 * Makes the function that sees to it that a context is in the database before anything is decided by it.
 *
 * Called when an agent or endpoint is loaded for the hot path, whatever changed it: no writer can forget it.
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
