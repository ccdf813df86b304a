import { ApiFailure } from './apiFailure.ts'
import { type Outgoing, request } from './request.ts'
import { session } from './session.ts'

/**
 * Sends a request as whoever is signed in; an expired access token is renewed and the request sent once more.
 *
 * @throws ApiFailure.
 */
export async function callApi<Answer>(outgoing: Outgoing): Promise<Answer> {
  const token = session.token()
  try {
    return await request<Answer>(outgoing, token)
  } catch (error) {
    if (token === null || !(error instanceof ApiFailure) || error.status !== 401) throw error
    await session.refresh()
    return request<Answer>(outgoing, session.token())
  }
}
