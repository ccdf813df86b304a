import { ApiFailure } from './apiFailure.ts'
import { session } from './session.ts'

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
