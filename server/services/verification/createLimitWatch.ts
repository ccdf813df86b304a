/** Maximum agents and accounts that are watched; beyond it, the ones without a denial for longest are forgotten. */
const MAX_WATCHED = 20_000
/** Maximum answers of each kind that are remembered of each. */
const MAX_ANSWERS = 16
const HOUR_MS = 3_600_000
/** Denials of nearly the same amount, and how far they may lie apart. */
const ALIKE = { min: 5, ratio: 1.01 } as const
/** Different amounts that are enough to be a search: of denials, or of all answers once they leave little open. */
const SEARCHED = { min: 3, leftRatio: 0.2 } as const

type Answer = { amount: number; at: number }
/** The denials of the last hour, and the answers since that raised the highest amount that passes. */
type Watched = { denied: readonly Answer[]; passed: readonly Answer[] }

/** How a request with an amount ended. */
type NotedAnswer = {
  agentId: string
  /** Who answers for the endpoint. */
  accountId: string
  amount: number
  /** Whether it was denied for its amount. */
  isOver: boolean
}

export type LimitWatch = {
  /** Notes an answer; true if the account seems to search for a limit of the agent. */
  note(answer: NotedAnswer, now: number): boolean
}

/**
 * Creates the watch over searches for the Hard Limit of an agent: each answer halves what is left to try.
 *
 * An account is watched from a denial on and for an hour. It seems to search if it was denied three different amounts, or
 * five times within one per cent, or if three different amounts have left less than a fifth of the lowest denied one open. A
 * search by bisection has found at most one decimal digit by then. Other requests cost a look-up in a map that is usually
 * empty.
 *
 * It counts in the memory of this process, and forgets when that ends: with several processes, each has to notice by itself.
 */
export function createLimitWatch(): LimitWatch {
  const watched = new Map<string, Watched>()
  return {
    note({ agentId, accountId, amount, isOver }, now) {
      if (!isOver && watched.size === 0) return false
      const key = `${agentId} ${accountId}`
      const earlier = watched.get(key)
      if (!isOver && (earlier === undefined || !isNarrower(earlier, amount))) return false
      const recent = (answers: readonly Answer[] = []) => answers.filter(({ at }) => at > now - HOUR_MS)
      const [denied, passed] = [recent(earlier?.denied), recent(earlier?.passed)]
      watched.delete(key)
      if (!isOver && denied.length === 0) return false
      const kind = isOver ? denied : passed
      kind.push({ amount, at: now })
      if (kind.length > MAX_ANSWERS) kind.shift()
      if (watched.size >= MAX_WATCHED) watched.delete(watched.keys().next().value ?? '')
      watched.set(key, { denied, passed })
      return isSearch(amountsOf(denied), amountsOf(passed))
    },
  }
}

function isNarrower({ denied, passed }: Watched, amount: number): boolean {
  return amount < Math.min(...amountsOf(denied)) && passed.every((answer) => answer.amount < amount)
}

function isSearch(denied: readonly number[], passed: readonly number[]): boolean {
  const isAlike = denied.some(
    (from) => denied.filter((amount) => amount >= from && amount <= from * ALIKE.ratio).length >= ALIKE.min,
  )
  const different = new Set(denied).size
  if (isAlike || different >= SEARCHED.min) return true
  const lowest = Math.min(...denied)
  const open = lowest - Math.max(0, ...passed.filter((amount) => amount < lowest))
  return different + passed.length >= SEARCHED.min && open <= lowest * SEARCHED.leftRatio
}

function amountsOf(answers: readonly Answer[]): number[] {
  return answers.map(({ amount }) => amount)
}
