import { ApiFailure } from './apiFailure.ts'
import { type Outgoing, request } from './request.ts'
import { session } from './session.ts'

/**
 * Sends a request as whoever is signed in; an expired access token is renewed and the request sent once more.
 *
 * @throws ApiFailure.
 */
export function callApi<Answer>(outgoing: Outgoing): Promise<Answer> {
  return asSignedIn((token) => request<Answer>(outgoing, token))
}

/**
 * Does something with the access token of whoever is signed in, and once more with a new one when that has expired; never
 * as somebody else, who may have signed in here meanwhile.
 *
 * @throws ApiFailure.
 */
export async function asSignedIn<Answer>(send: (token: string | null) => Promise<Answer>): Promise<Answer> {
  const token = session.token()
  const userId = signedInUserId()
  try {
    return await send(token)
  } catch (error) {
    if (token === null || !(error instanceof ApiFailure) || error.status !== 401) throw error
    if (signedInUserId() === userId) await session.refresh()
    if (signedInUserId() !== userId) throw error
    return send(session.token())
  }
}

function signedInUserId(): string | null {
  const state = session.read()
  return state.status === 'signedIn' ? state.user.id : null
}
