import { ApiFailure } from './apiFailure.ts'
import { session } from './session.ts'

/**
 * Does something with the access token of whoever is signed in, and once more with a new one when that has expired.
 *
 * @throws ApiFailure.
 */
export async function asSignedIn<Answer>(send: (token: string | null) => Promise<Answer>): Promise<Answer> {
  const token = session.token()
  try {
    return await send(token)
  } catch (error) {
    if (token === null || !(error instanceof ApiFailure) || error.status !== 401) throw error
    await session.refresh()
    return send(session.token())
  }
}
