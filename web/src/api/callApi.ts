import { asSignedIn } from './asSignedIn.ts'
import { type Outgoing, request } from './request.ts'

/**
 * Sends a request as whoever is signed in; an expired access token is renewed and the request sent once more.
 *
 * @throws ApiFailure.
 */
export function callApi<Answer>(outgoing: Outgoing): Promise<Answer> {
  return asSignedIn((token) => request<Answer>(outgoing, token))
}
