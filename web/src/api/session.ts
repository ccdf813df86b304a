import { ApiFailure } from './apiFailure.ts'
import { otherTabs } from './otherTabs.ts'
import { request } from './request.ts'
import type { Session, User } from './types.ts'

/** Who is signed in here; `starting` until an earlier session was taken up or not. */
export type SessionState = { status: 'starting' | 'signedOut' } | { status: 'signedIn'; user: User }

const REFRESH_TOKEN_KEY = 'svc.refreshToken'
/** The access token that came with that refresh token, behind it; with another one it is nobody's. */
const ACCESS_TOKEN_KEY = 'svc.accessToken'

let state: SessionState = { status: sessionStorage.getItem(REFRESH_TOKEN_KEY) ? 'starting' : 'signedOut' }
let accessToken: string | null = null
let refreshing: Promise<void> | null = null
const listeners = new Set<() => void>()

/**
 * The session of this tab: both tokens are in the tab's own storage.
 *
 * A refresh token is good for one use and a second use ends the session. So there is one refresh at a time, in all tabs
 * that began with the same token, and a page that is loaded anew goes on with the access token: a refresh whose answer
 * is lost, because somebody loads twice, would be the last.
 *
 * Source: api.md "Accounts".
 */
export const session = {
  read: (): SessionState => state,

  token: (): string | null => accessToken,

  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },

  /** Takes up the session of before the page was loaded anew; without its access token by a refresh. */
  async resume(): Promise<void> {
    const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
    const [kept, token] = (sessionStorage.getItem(ACCESS_TOKEN_KEY) ?? '').split(' ')
    if (refreshToken === null || token === undefined || kept !== refreshToken) return session.refresh()
    try {
      const { user } = await request<{ user: User }>({ method: 'GET', path: '/api/me' }, token)
      if (sessionStorage.getItem(REFRESH_TOKEN_KEY) !== refreshToken || state.status !== 'starting') return
      accessToken = token
      become({ status: 'signedIn', user })
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 401) throw error
      await session.refresh()
    }
  },

  begin(opened: Session): void {
    accessToken = opened.accessToken
    sessionStorage.setItem(REFRESH_TOKEN_KEY, opened.refreshToken)
    sessionStorage.setItem(ACCESS_TOKEN_KEY, `${opened.refreshToken} ${opened.accessToken}`)
    become({ status: 'signedIn', user: opened.user })
  },

  /** Exchanges the refresh token; whoever asks meanwhile waits for the same exchange. */
  refresh(): Promise<void> {
    refreshing ??= exchangeInTurn().finally(() => {
      refreshing = null
    })
    return refreshing
  },

  /** Shows the sign-in though a refresh token is there: the service could not be asked; loading anew tries again. */
  pause(): void {
    become({ status: 'signedOut' })
  },

  /** Ends the session here at once and at the service as soon as it can be told. */
  async end(): Promise<void> {
    const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
    forget()
    if (refreshToken !== null) await endAtService(refreshToken)
  },
}

otherTabs.listen(({ refreshToken, opened }) => {
  if (sessionStorage.getItem(REFRESH_TOKEN_KEY) === refreshToken) session.begin(opened)
})

/** What another tab was given for this tab's token while this one waited for its turn is this one's, too. */
async function exchangeInTurn(): Promise<void> {
  const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
  await otherTabs.inTurn(async () => {
    if (sessionStorage.getItem(REFRESH_TOKEN_KEY) === refreshToken) await exchange()
  })
}

/** An answer counts only for the session it was asked for, which may be over, or another's, when it comes. */
async function exchange(): Promise<void> {
  const refreshToken = sessionStorage.getItem(REFRESH_TOKEN_KEY)
  if (refreshToken === null) return forget()
  const isStillOurs = () => sessionStorage.getItem(REFRESH_TOKEN_KEY) === refreshToken
  let opened: Session
  try {
    const body = { refreshToken }
    const answer = await request<{ data: Session }>({ method: 'POST', path: '/api/auth/refresh', body }, null)
    opened = answer.data
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401 && isStillOurs()) return forget()
    throw error
  }
  if (isStillOurs()) {
    session.begin(opened)
    return otherTabs.tell({ refreshToken, opened })
  }
  // The sign-out told the service the token of before, which no longer ends what was opened since.
  void endAtService(opened.refreshToken)
  throw new ApiFailure('SIGNED_OUT', 'You signed out meanwhile.', { status: 401 })
}

async function endAtService(refreshToken: string): Promise<void> {
  await request({ method: 'POST', path: '/api/auth/logout', body: { refreshToken } }, null).catch(() => null)
}

function forget(): void {
  accessToken = null
  sessionStorage.removeItem(REFRESH_TOKEN_KEY)
  sessionStorage.removeItem(ACCESS_TOKEN_KEY)
  become({ status: 'signedOut' })
}

function become(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}
