/** Maximum agents and accounts that are watched; beyond it, the ones without a denial for longest are forgotten. */
const MAX_WATCHED = 20_000
/** Maximum answers of each kind that are remembered of each. */
const MAX_ANSWERS = 16
/** How long an account is watched after a denial. */
export const HOUR_MS = 3_600_000
/** Denials of nearly the same amount, and how far they may lie apart. */
const ALIKE = { min: 5, ratio: 1.01 } as const
/** Different amounts that are enough to be a search: of denials, or of all answers once they leave little open. */
const SEARCHED = { min: 3, leftRatio: 0.2 } as const

/**
 * What is enough to be a search of several together: denials of this many accounts, if they leave as little open or are
 * numerous, or answers that leave nearly nothing open, as purchases do only by chance.
 */
const TOGETHER = { minAccounts: 3, min: 5, leftRatio: 0.02 } as const

type Answer = { accountId: string; amount: number; at: number }
/** The denials of the last hour, and the answers since that raised the highest amount that passes. */
type Watched = { denied: readonly Answer[]; passed: readonly Answer[] }

/** How a request with an amount ended; what is held for the owner is a denial here, if that threshold is watched. */
type NotedAnswer = {
  agentId: string
  /** Who answers for the endpoint. */
  accountId: string
  amount: number
  /** Whether it was denied for its amount. */
  isOver: boolean
}

/** Who seems to search for a limit of an agent: the account that got the last answer, or it and others together. */
export type Searcher = 'account' | 'several'

export type LimitWatchOptions = {
  /**
   * Whether a denial counts only if its amount is lower than of those before. Then neither a repeated request nor ordinary
   * traffic above the threshold looks like a search.
   */
  countsOnlyLower?: boolean
}

export type LimitWatch = {
  /** Notes an answer, and tells who seems to search; null if nobody does. */
  note(answer: NotedAnswer, now: number): Searcher | null
  /** Whether an answer would tell anything new. */
  isNews(answer: NotedAnswer, now: number): boolean
}

/**
 * Creates the watch over searches for a threshold of an agent, the Hard Limit or the amount from which its owner is asked:
 * each answer halves what is left to try.
 *
 * An account is watched from a denial on and for an hour. It seems to search if it was denied three different amounts, or
 * five times within one per cent, or if three different amounts have left less than a fifth of the lowest denied one open. A
 * search by bisection has found at most one decimal digit by then.
 *
 * Accounts are free, so the denials of three or more are also taken together: five different ones, or three that leave as
 * little open, or any five answers that leave a fiftieth open. Such a search knows about two digits by then. Other requests
 * cost a look-up in a map that is usually empty.
 *
 * `createSharedLimitWatch` gives it the answers of all processes.
 */
export function createLimitWatch({ countsOnlyLower = false }: LimitWatchOptions = {}): LimitWatch {
  const byAccount = new Map<string, Watched>()
  const byAgent = new Map<string, Watched>()
  return {
    note(answer, now) {
      if (!answer.isOver && byAgent.size === 0) return null
      const own = isNewsOf(byAccount.get(keyOf(answer)), answer, now)
        ? remember(byAccount, keyOf(answer), answer, now)
        : null
      const all = isNewsOf(byAgent.get(answer.agentId), answer, now)
        ? remember(byAgent, answer.agentId, answer, now)
        : null
      if (own !== null && isSearch(own)) return 'account'
      return all !== null && isSearchTogether(all) ? 'several' : null
    },
    isNews: (answer, now) =>
      isNewsOf(byAccount.get(keyOf(answer)), answer, now) ||
      isNewsOf(byAgent.get(answer.agentId), answer, now),
  }

  /** Whether an answer leaves less open than before, or is a denial of which every one counts. */
  function isNewsOf(watched: Watched | undefined, { amount, isOver }: NotedAnswer, now: number): boolean {
    if (isOver && !countsOnlyLower) return true
    const { denied, passed } = recentOf(watched, now)
    if (denied.length === 0) return isOver
    const isLower = amount < Math.min(...amountsOf(denied))
    return isLower && (isOver || passed.every((answer) => answer.amount < amount))
  }
}

/** Adds an answer to what is remembered under a key; null if nothing is. */
function remember(
  watched: Map<string, Watched>,
  key: string,
  { accountId, amount, isOver }: NotedAnswer,
  now: number,
): Watched | null {
  const { denied, passed } = recentOf(watched.get(key), now)
  watched.delete(key)
  if (!isOver && denied.length === 0) return null
  const kind = isOver ? denied : passed
  kind.push({ accountId, amount, at: now })
  if (kind.length > MAX_ANSWERS) kind.shift()
  if (watched.size >= MAX_WATCHED) watched.delete(watched.keys().next().value ?? '')
  const remembered = { denied, passed }
  watched.set(key, remembered)
  return remembered
}

/** What is still remembered of the answers. */
function recentOf(watched: Watched | undefined, now: number): { denied: Answer[]; passed: Answer[] } {
  const recent = (answers: readonly Answer[] = []) => answers.filter(({ at }) => at > now - HOUR_MS)
  return { denied: recent(watched?.denied), passed: recent(watched?.passed) }
}

function keyOf({ agentId, accountId }: NotedAnswer): string {
  return `${agentId} ${accountId}`
}

function isSearch(answers: Watched): boolean {
  const denied = amountsOf(answers.denied)
  const isAlike = denied.some(
    (from) => denied.filter((amount) => amount >= from && amount <= from * ALIKE.ratio).length >= ALIKE.min,
  )
  const different = new Set(denied).size
  if (isAlike || different >= SEARCHED.min) return true
  return different + answers.passed.length >= SEARCHED.min && isNearlyFound(answers, SEARCHED.leftRatio)
}

function isSearchTogether(answers: Watched): boolean {
  const { denied, passed } = answers
  const accounts = new Set(denied.map(({ accountId }) => accountId)).size
  const different = new Set(amountsOf(denied)).size
  if (accounts >= TOGETHER.minAccounts && different >= SEARCHED.min) {
    if (different >= TOGETHER.min || isNearlyFound(answers, SEARCHED.leftRatio)) return true
  }
  return different + passed.length >= TOGETHER.min && isNearlyFound(answers, TOGETHER.leftRatio)
}

/** Whether the limit lies within this part of the lowest denied amount below it. */
function isNearlyFound({ denied, passed }: Watched, leftRatio: number): boolean {
  const lowest = Math.min(...amountsOf(denied))
  const open = lowest - Math.max(0, ...amountsOf(passed).filter((amount) => amount < lowest))
  return open <= lowest * leftRatio
}

function amountsOf(answers: readonly Answer[]): number[] {
  return answers.map(({ amount }) => amount)
}
