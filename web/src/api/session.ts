import type { Session, User } from '@svc/core/contract/accounts.ts'
import { ApiFailure } from './apiFailure.ts'
import { otherTabs } from './otherTabs.ts'
import { pendingSignOut } from './pendingSignOut.ts'
import { request } from './request.ts'
import { retryUntilReached } from './retryUntilReached.ts'
import { sessionHint } from './sessionHint.ts'

/** Who is signed in here. */
export type SessionState =
  /** Whether the browser has a session is not known yet; `failure` says why the service could not be asked. */
  | { status: 'starting'; failure: ApiFailure | null }
  /** `cause` says why, if it was not done in this tab. */
  | { status: 'signedOut'; cause: ApiFailure | null }
  | { status: 'signedIn'; user: User }
  /** The session is over, but the page with what its user has typed remains until someone signs in again. */
  | { status: 'ended'; user: User; cause: ApiFailure }

let state: SessionState = { status: 'starting', failure: null }
let accessToken: string | null = null
/** Counts the changes from one user to another or to none, so that late responses are recognised. */
let changes = 0
/** Counts the access tokens, so that a tab that waited for another one sees whether it still needs its own. */
let tokens = 0
let refreshing: Promise<void> | null = null
const listeners = new Set<() => void>()

/**
 * The session of this browser. The access token is in the memory of each tab; the refresh token is in a cookie that no
 * script can read.
 *
 * All tabs have the same cookie and therefore the same user. One of them renews the session at a time, and the others
 * adopt the result; they also follow when one signs in or out.
 */
export const session = {
  read: (): SessionState => state,

  token: (): string | null => accessToken,

  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },

  /** Resumes the session of the browser after a page load; repeated until the service responds. */
  async resume(): Promise<void> {
    const resumed = new AbortController()
    const stop = session.subscribe(() => state.status !== 'starting' && resumed.abort())
    const giveUp = () => {
      if (state.status === 'starting') discard(null)
    }
    const report = (failure: ApiFailure) => {
      if (state.status === 'starting') setState({ status: 'starting', failure })
    }
    try {
      if (pendingSignOut.isDue()) await pendingSignOut.complete(report).then(giveUp)
      else await retryUntilReached(session.refresh, resumed.signal, report)
    } catch (error) {
      if (state.status === 'starting') discard(error instanceof ApiFailure ? error : null)
    } finally {
      stop()
    }
  },

  /** Adopts a session that was opened here, and lets the other tabs adopt it. */
  begin(opened: Session): void {
    pendingSignOut.cancel()
    adopt(opened)
    otherTabs.broadcast({ kind: 'opened', opened })
  },

  /** Renews the session; concurrent callers share one exchange. */
  refresh(): Promise<void> {
    refreshing ??= exchangeExclusively().finally(() => {
      refreshing = null
    })
    return refreshing
  },

  /** Asks the user to sign in again over the page, which remains; the session ends, because the next one replaces it. */
  async signInAgain(): Promise<void> {
    close(new ApiFailure('SIGN_IN_NEEDED', 'Please confirm that it is you.', { status: 401 }))
    await pendingSignOut.complete()
  },

  /** Signs out in all tabs at once, and at the service as soon as the request gets through. */
  async end(): Promise<void> {
    discard(null)
    otherTabs.broadcast({ kind: 'signedOut' })
    await pendingSignOut.complete()
  },
}

/** Whether a request failed because its access token is no longer valid, or because the account is suspended. */
export function isSessionOver(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && (error.status === 401 || error.code === 'ACCOUNT_SUSPENDED')
}

otherTabs.listen((news) => {
  if (news.kind === 'opened') {
    pendingSignOut.cancel()
    return adopt(news.opened)
  }
  if (state.status !== 'signedOut')
    discard(new ApiFailure('SIGNED_OUT', 'You have signed out in another tab.'))
})

/** Skips the exchange if another tab has renewed the session while this one waited for the lock. */
async function exchangeExclusively(): Promise<void> {
  const before = tokens
  await otherTabs.serialize(async () => {
    if (tokens === before) await exchange()
  })
}

/** Applies the response only if the tab still has the user it was requested for. */
async function exchange(): Promise<void> {
  const before = changes
  let opened: Session | null
  try {
    opened = (await request('POST /api/auth/refresh', { body: {} }, null)).data
  } catch (error) {
    if (changes !== before || !(error instanceof ApiFailure)) throw error
    if (isSessionOver(error)) return close(error)
    throw error
  }
  if (opened === null) {
    if (changes === before) close(NO_COOKIE)
    return
  }
  if (changes !== before && userOf(state)?.id !== opened.user.id) {
    throw new ApiFailure('SIGNED_OUT', 'You have signed out in the meantime.', { status: 401 })
  }
  adopt(opened)
  otherTabs.broadcast({ kind: 'opened', opened })
}

const NO_COOKIE = new ApiFailure('UNAUTHENTICATED', 'This session has ended.', { status: 401 })

function adopt(opened: Session): void {
  accessToken = opened.accessToken
  tokens += 1
  if (userOf(state)?.id !== opened.user.id) changes += 1
  sessionHint.set(true)
  setState({ status: 'signedIn', user: opened.user })
}

/** Ends the session for a reason that its user does not know: what is on the page remains, unless it was suspended. */
function close(cause: ApiFailure): void {
  const user = userOf(state)
  if (user === null || cause.status !== 401) discard(cause === NO_COOKIE ? null : cause)
  else {
    accessToken = null
    setState({ status: 'ended', user, cause })
  }
}

function discard(cause: ApiFailure | null): void {
  accessToken = null
  changes += 1
  sessionHint.set(false)
  setState({ status: 'signedOut', cause })
}

/** The account whose data this tab shows; null if there is none. */
export function userOf(shown: SessionState): User | null {
  return shown.status === 'signedIn' || shown.status === 'ended' ? shown.user : null
}

function setState(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}
