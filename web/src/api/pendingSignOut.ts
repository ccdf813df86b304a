import type { ApiFailure } from './apiFailure.ts'
import { request } from './request.ts'
import { retryUntilReached } from './retryUntilReached.ts'

/** Not a secret: only that the person has signed out. */
const KEY = 'svc.signingOut'

let attempt = new AbortController()

/**
 * The sign-out at the service, which has to end the session because scripts cannot delete its cookie.
 *
 * It is remembered until the service has responded. Otherwise a page opened later would be signed in again if the service
 * could not be reached at the time.
 */
export const pendingSignOut = {
  isDue: (): boolean => localStorage.getItem(KEY) !== null,

  /** Signs out as soon as the service responds. @param onFailure Called after each attempt without a response. */
  async complete(onFailure?: (failure: ApiFailure) => void): Promise<void> {
    localStorage.setItem(KEY, '1')
    attempt.abort()
    attempt = new AbortController()
    const { signal } = attempt
    // Another tab may have given up since.
    const send = async () =>
      pendingSignOut.isDue() && request('POST /api/auth/logout', { body: {}, signal }, null)
    // Any other refusal means that the cookie opens no session.
    await retryUntilReached(send, signal, onFailure).catch(() => null)
    if (!signal.aborted) localStorage.removeItem(KEY)
  },

  /** Gives up, because someone has signed in since and the cookie is theirs. */
  cancel(): void {
    attempt.abort()
    localStorage.removeItem(KEY)
  },
} as const
