import type { LimitAnswer, LimitAnswerStore } from '../../../store/approvals/limitAnswerStore.ts'
import type { Db } from '../../../store/database/database.ts'
import {
  createLimitWatch,
  HOUR_MS,
  type LimitWatch,
  type LimitWatchOptions,
  type Searcher,
} from './createLimitWatch.ts'

/** Maximum agents of which this process knows that something was denied; beyond it, the oldest is forgotten. */
const MAX_KNOWN = 20_000

export type SharedLimitWatchDeps = LimitWatchOptions & {
  answers: LimitAnswerStore
  transaction: Db['transaction']
  clock: () => number
  onFailure(error: unknown): void
}

/** What this process knows of an agent, in which something was denied during the last hour. */
type Known = {
  deniedAt: number
  /** Identifies the last denial of which this process knows: what was read before it is incomplete. */
  denial: number
  /** The answers of all processes, as last read; null if there are newer denials. */
  watch: LimitWatch | null
  /** The accounts, or `several`, whose search was noticed: their owner is warned once a day. */
  noticed: ReadonlySet<string>
}

/** An answer that passed, and whom to tell if it completes a search. */
type Waiting = { answer: LimitAnswer; onSearch(searcher: Searcher): void }

export type SharedLimitWatch = {
  /** Notes an answer in the background, and calls `onSearch` if somebody seems to search. */
  note(answer: LimitAnswer, onSearch: (searcher: Searcher) => void): void
  /** Call when a process has stored a denial. */
  onDenied(agentId: string): void
  /** Call when denials by other processes may have been missed, and at the start. */
  reload(): void
}

/**
 * Creates the watch over searches for one of the thresholds of agents, in which the answers of all processes count.
 *
 * Only denials for an amount are stored, and then, for an hour, the answers that narrow the search down. An answer is
 * judged together with the stored ones in one transaction for its agent, so that of several simultaneous answers the
 * last completes the picture. Of those that passed meanwhile, only the highest of each account is judged, one after
 * another. Every other request costs a look-up in memory.
 */
export function createSharedLimitWatch(deps: SharedLimitWatchDeps): SharedLimitWatch {
  const known = new Map<string, Known>()
  let denials = 0
  /** The agents for which an answer that passed is being judged, with those that wait for it, by account. */
  const judging = new Map<string, Map<string, Waiting>>()
  const remember = (agentId: string, found: Known): void => {
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

  const rememberDenial = (agentId: string, deniedAt: number): void => {
    denials += 1
    const noticed = known.get(agentId)?.noticed ?? new Set()
    remember(agentId, { deniedAt, denial: denials, watch: null, noticed })
  }

  async function judge(answer: LimitAnswer): Promise<Searcher | null> {
    const { agentId, isOver, at } = answer
    const { watch, searcher, denial } = await deps.transaction(
      async (trx) => {
        // The transactions of an agent run one after another, so these are all denials that this one can read.
        if (isOver) rememberDenial(agentId, at)
        const asRead = known.get(agentId)?.denial
        const since = at - HOUR_MS
        const replayed = createLimitWatch(deps)
        for (const earlier of await deps.answers.ofAgent(trx, agentId, since))
          replayed.note(earlier, earlier.at)
        if (!replayed.isNews(answer, at)) return { watch: replayed, searcher: null, denial: asRead }
        await deps.answers.insert(trx, answer, since)
        return { watch: replayed, searcher: replayed.note(answer, at), denial: asRead }
      },
      [`agent ${agentId}`],
    )
    const current = known.get(agentId)
    const noticed = new Set(current?.noticed)
    if (searcher !== null) noticed.add(searcher === 'account' ? answer.accountId : searcher)
    if (current === undefined) return searcher
    // A denial in the meantime is not among those that were read.
    remember(agentId, { ...current, watch: current.denial === denial ? watch : current.watch, noticed })
    return searcher
  }

  async function judgeAndTell({ answer, onSearch }: Waiting): Promise<void> {
    try {
      const searcher = await judge(answer)
      if (searcher !== null) onSearch(searcher)
    } catch (error) {
      deps.onFailure(error)
    }
  }

  const tellsNothing = (answer: LimitAnswer): boolean => {
    const found = knownOf(answer)
    if (found?.noticed.has(answer.accountId)) return true
    if (answer.isOver && (found === undefined || !deps.countsOnlyLower)) return false
    return found === undefined || found.watch?.isNews(answer, answer.at) === false
  }

  async function judgeInTurn(first: Waiting): Promise<void> {
    const { agentId } = first.answer
    const others = new Map<string, Waiting>()
    judging.set(agentId, others)
    await judgeAndTell(first)
    for (const [accountId, next] of others) {
      others.delete(accountId)
      if (!tellsNothing(next.answer)) await judgeAndTell(next)
    }
    judging.delete(agentId)
  }

  return {
    note(answer, onSearch) {
      if (tellsNothing(answer)) return
      const waiting: Waiting = { answer, onSearch }
      const others = judging.get(answer.agentId)
      if (answer.isOver) void judgeAndTell(waiting)
      else if (others === undefined) void judgeInTurn(waiting)
      else if (answer.amount > (others.get(answer.accountId)?.answer.amount ?? -1))
        others.set(answer.accountId, waiting)
    },
    onDenied(agentId) {
      rememberDenial(agentId, deps.clock())
    },
    reload() {
      deps.answers.deniedSince(deps.clock() - HOUR_MS, MAX_KNOWN).then((denied) => {
        for (const { agentId, at } of denied) rememberDenial(agentId, at)
      }, deps.onFailure)
    },
  }
}
