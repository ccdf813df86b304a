import { ApiFailure } from './apiFailure.ts'
import { type Outgoing, request } from './request.ts'
import { session } from './session.ts'

/**
 * Sends a request as the signed-in user; if the access token has expired, renews it and sends the request again.
 *
 * @throws ApiFailure.
 */
export function callApi<Answer>(outgoing: Outgoing): Promise<Answer> {
  return withAccessToken((token) => request<Answer>(outgoing, token))
}

/**
 * Runs an action with the current access token, and again with a new one if that has expired.
 *
 * Never retries as a different user who has signed in here in the meantime.
 *
 * @throws ApiFailure.
 */
export async function withAccessToken<Answer>(
  send: (token: string | null) => Promise<Answer>,
): Promise<Answer> {
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
