import type { Session, User } from '@svc/core/contract/accounts.ts'
import { ApiFailure } from './apiFailure.ts'
import { otherTabs } from './otherTabs.ts'
import { request } from './request.ts'

/** Who is signed in here; `starting` until a stored session has been resumed or discarded. */
export type SessionState =
  | { status: 'starting' }
  /** `cause` says why the account was signed out, if an operator has suspended it. */
  | { status: 'signedOut'; cause: ApiFailure | null }
  | { status: 'signedIn'; user: User }

const REFRESH_TOKEN_KEY = 'svc.refreshToken'
/** The refresh token, a space, and the access token that came with it; ignored if the refresh token has changed since. */
const ACCESS_TOKEN_KEY = 'svc.accessToken'

let state: SessionState = sessionStorage.getItem(REFRESH_TOKEN_KEY)
  ? { status: 'starting' }
  : { status: 'signedOut', cause: null }
let accessToken: string | null = null
let refreshing: Promise<void> | null = null
const listeners = new Set<() => void>()

/**
 * The session of this tab, with both tokens in the tab's session storage.
 *
 * A refresh token is single-use, and a second use ends the session. So only one refresh runs at a time across all tabs that
 * share a token, and a reloaded page continues with its access token: had it refreshed instead, reloading again before the
 * response arrived would end the session.
 */
export const session = {
  read: (): SessionState => state,

  token: (): string | null => accessToken,

  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },

  /** Resumes the stored session after a page load, by its access token if that is still valid, otherwise by a refresh. */
  async resume(): Promise<void> {
    const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
    const [storedFor, token] = (sessionStorage.getItem(ACCESS_TOKEN_KEY) ?? '').split(' ')
    if (refreshToken === null || token === undefined || storedFor !== refreshToken) return session.refresh()
    try {
      const { user } = await request('GET /api/me', {}, token)
      if (sessionStorage.getItem(REFRESH_TOKEN_KEY) !== refreshToken || state.status !== 'starting') return
      accessToken = token
      setState({ status: 'signedIn', user })
    } catch (error) {
      if (!isSessionOver(error)) throw error
      await session.refresh()
    }
  },

  begin(opened: Session): void {
    accessToken = opened.accessToken
    sessionStorage.setItem(REFRESH_TOKEN_KEY, opened.refreshToken)
    sessionStorage.setItem(ACCESS_TOKEN_KEY, `${opened.refreshToken} ${opened.accessToken}`)
    setState({ status: 'signedIn', user: opened.user })
  },

  /** Exchanges the refresh token; concurrent callers share one exchange. */
  refresh(): Promise<void> {
    refreshing ??= exchangeExclusively().finally(() => {
      refreshing = null
    })
    return refreshing
  },

  /** Shows the sign-in page but keeps the stored tokens, for when the service is unreachable; reloading tries again. */
  pause(): void {
    setState({ status: 'signedOut', cause: null })
  },

  /** Signs out here at once, and at the service as soon as the request gets through. */
  async end(): Promise<void> {
    const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
    discard()
    if (refreshToken !== null) await endAtService(refreshToken)
  },
}

/** Whether a request failed because its access token is no longer valid, or because the account is suspended. */
export function isSessionOver(error: unknown): error is ApiFailure {
  return error instanceof ApiFailure && (error.status === 401 || error.code === 'ACCOUNT_SUSPENDED')
}

otherTabs.listen(({ refreshToken, opened }) => {
  if (sessionStorage.getItem(REFRESH_TOKEN_KEY) === refreshToken) session.begin(opened)
})

/** Skips the exchange if another tab has renewed the session while this one waited for the lock. */
async function exchangeExclusively(): Promise<void> {
  const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
  await otherTabs.serialize(async () => {
    if (sessionStorage.getItem(REFRESH_TOKEN_KEY) === refreshToken) await exchange()
  })
}

/** Applies the response only if the tab still has the session it was requested for. */
async function exchange(): Promise<void> {
  const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
  if (refreshToken === null) return discard()
  const isStillOurs = () => sessionStorage.getItem(REFRESH_TOKEN_KEY) === refreshToken
  let opened: Session
  try {
    opened = (await request('POST /api/auth/refresh', { body: { refreshToken } }, null)).data
  } catch (error) {
    if (isSessionOver(error) && isStillOurs()) return discard(error.status === 401 ? null : error)
    throw error
  }
  if (isStillOurs()) {
    session.begin(opened)
    return otherTabs.broadcast({ refreshToken, opened })
  }
  // The sign-out sent the previous token, which does not end the session renewed since.
  void endAtService(opened.refreshToken)
  throw new ApiFailure('SIGNED_OUT', 'You have signed out in the meantime.', { status: 401 })
}

async function endAtService(refreshToken: string): Promise<void> {
  await request('POST /api/auth/logout', { body: { refreshToken } }, null).catch(() => null)
}

/** @param cause Why, if the account is suspended. */
function discard(cause: ApiFailure | null = null): void {
  accessToken = null
  sessionStorage.removeItem(REFRESH_TOKEN_KEY)
  sessionStorage.removeItem(ACCESS_TOKEN_KEY)
  setState({ status: 'signedOut', cause })
}

function setState(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}
