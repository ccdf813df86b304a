import { ApiFailure } from './apiFailure.ts'
import { request } from './request.ts'
import type { Session, User } from './types.ts'

/** Who is signed in here; `starting` until an earlier session was taken up or not. */
export type SessionState = { status: 'starting' | 'signedOut' } | { status: 'signedIn'; user: User }

const REFRESH_TOKEN_KEY = 'svc.refreshToken'

let state: SessionState = { status: sessionStorage.getItem(REFRESH_TOKEN_KEY) ? 'starting' : 'signedOut' }
let accessToken: string | null = null
let refreshing: Promise<void> | null = null
const listeners = new Set<() => void>()

/**
 * The session of this tab: the access token in memory alone, the refresh token in the tab's own storage.
 *
 * A refresh token is good for one use and a second use ends the session, so that there is one refresh at a time.
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

  begin(opened: Session): void {
    accessToken = opened.accessToken
    sessionStorage.setItem(REFRESH_TOKEN_KEY, opened.refreshToken)
    become({ status: 'signedIn', user: opened.user })
  },

  /** Exchanges the refresh token; whoever asks meanwhile waits for the same exchange. */
  refresh(): Promise<void> {
    refreshing ??= exchange().finally(() => {
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
  if (isStillOurs()) return session.begin(opened)
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
  become({ status: 'signedOut' })
}

function become(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}
