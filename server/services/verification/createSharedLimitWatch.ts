import type { LimitAnswer, LimitAnswerStore } from '../../store/approvals/limitAnswerStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createLimitWatch, HOUR_MS, type LimitWatch, type Searcher } from './createLimitWatch.ts'

/** Maximum agents of which this process knows that something was denied; beyond it, the oldest is forgotten. */
const MAX_KNOWN = 20_000

export type SharedLimitWatchDeps = {
  answers: LimitAnswerStore
  transaction: Db['transaction']
  clock: () => number
  onFailure(error: unknown): void
}

/** What this process knows of an agent, in which something was denied during the last hour. */
type Known = {
  deniedAt: number
  /** The answers of all processes, as last read; null if there are newer denials. */
  watch: LimitWatch | null
  /** The accounts, or `several`, whose search was noticed: their owner is warned once a day. */
  noticed: ReadonlySet<string>
}

export type SharedLimitWatch = {
  /** Notes an answer in the background, and calls `onSearch` if somebody seems to search. */
  note(answer: LimitAnswer, onSearch: (searcher: Searcher) => void): void
  /** Call when a process has stored a denial. */
  onDenied(agentId: string): void
  /** Call when denials by other processes may have been missed, and at the start. */
  reload(): void
}

/**
 * Creates the watch over searches for Hard Limits, in which the answers of all processes count.
 *
 * Only denials for an amount are stored, and then, for an hour, the answers that narrow the search down. An answer is judged
 * together with the stored ones in one transaction for its agent, so that of several simultaneous answers the last completes
 * the picture. Every other request costs a look-up in memory.
 */
export function createSharedLimitWatch(deps: SharedLimitWatchDeps): SharedLimitWatch {
  const known = new Map<string, Known>()
  const learn = (agentId: string, found: Known): void => {
    known.delete(agentId)
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value ?? '')
    known.set(agentId, found)
  }
  const knownOf = ({ agentId, at }: Pick<LimitAnswer, 'agentId' | 'at'>): Known | undefined => {
    const found = known.get(agentId)
    if (found === undefined || found.deniedAt > at - HOUR_MS) return found
    known.delete(agentId)
    return undefined
  }

  async function judge(answer: LimitAnswer): Promise<Searcher | null> {
    const { agentId, isOver, at } = answer
    const asRead = known.get(agentId)
    const { watch, searcher } = await deps.transaction(
      async (trx) => {
        const since = at - HOUR_MS
        const replayed = createLimitWatch()
        for (const earlier of await deps.answers.ofAgent(trx, agentId, since))
          replayed.note(earlier, earlier.at)
        if (!replayed.tells(answer)) return { watch: replayed, searcher: null }
        await deps.answers.insert(trx, answer, since)
        return { watch: replayed, searcher: replayed.note(answer, at) }
      },
      [`agent ${agentId}`],
    )
    const current = known.get(agentId)
    const noticed = new Set(current?.noticed)
    if (searcher !== null) noticed.add(searcher === 'account' ? answer.accountId : searcher)
    const deniedAt = isOver ? at : current?.deniedAt
    // A denial by another process in the meantime is not among those that were read.
    const isCurrent = current === asRead
    if (deniedAt !== undefined) learn(agentId, { deniedAt, watch: isCurrent ? watch : null, noticed })
    return searcher
  }

  return {
    note(answer, onSearch) {
      const found = knownOf(answer)
      const isNoticed = found?.noticed.has(answer.accountId) === true
      if (isNoticed || (!answer.isOver && (found === undefined || found.watch?.tells(answer) === false)))
        return
      judge(answer).then((searcher) => {
        if (searcher !== null) onSearch(searcher)
      }, deps.onFailure)
    },
    onDenied(agentId) {
      const found = known.get(agentId)
      learn(agentId, { deniedAt: deps.clock(), watch: null, noticed: found?.noticed ?? new Set() })
    },
    reload() {
      deps.answers.deniedSince(deps.clock() - HOUR_MS, MAX_KNOWN).then((denied) => {
        for (const { agentId, at } of denied) {
          learn(agentId, { deniedAt: at, watch: null, noticed: known.get(agentId)?.noticed ?? new Set() })
        }
      }, deps.onFailure)
    },
  }
}
