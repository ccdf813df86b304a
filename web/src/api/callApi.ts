import type { AnswerOf, OperationKey } from '@svc/core/contract/operations.ts'
import { answersAhead } from './answersAhead.ts'
import { type AnyCall, type Call, type LastOptional, pathOf } from './call.ts'
import { sendRequest } from './request.ts'
import { isSessionOver, session, userOf } from './session.ts'

/**
 * Sends a request as the signed-in user; if the access token has expired, renews it and sends the request again.
 *
 * @param key Method and path of the operation, which determine the types of parameters, body and answer.
 * @throws ApiFailure.
 */
export function callApi<Key extends OperationKey>(
  key: Key,
  ...[call]: LastOptional<Call<Key>>
): Promise<AnswerOf<Key>> {
  return sendCall(key, call)
}

/**
 * `callApi` with a token of a fresh passkey assertion, or null on the first attempt.
 *
 * @throws ApiFailure.
 */
export function callElevated<Key extends OperationKey>(
  key: Key,
  call: Call<Key>,
  elevation: string | null,
): Promise<AnswerOf<Key>> {
  return sendCall(key, call, elevation)
}

/**
 * `callApi` for callers that have checked the call, with elevation.
 *
 * @param elevation Token of a fresh passkey assertion; null for none.
 * @throws ApiFailure.
 */
export function sendCall<Key extends OperationKey>(
  key: Key,
  call: AnyCall = {},
  elevation: string | null = null,
): Promise<AnswerOf<Key>> {
  const state = session.read()
  // The page of an ended session is only waiting; sign-ins need no session.
  if (state.status === 'ended' && !key.includes(' /api/auth/')) return Promise.reject(state.cause)
  const send = () => withAccessToken((token) => sendRequest(key, call, { token, elevation }))
  const isRead = key.startsWith('GET ')
  if (!isRead) answersAhead.forget()
  const ahead = isRead ? answersAhead.take(pathOf(key, call)) : null
  return ahead === null ? send() : (ahead as Promise<AnswerOf<Key>>).catch(send)
}

/**
 * Runs an action with the current access token, and again with a new one if that has expired. The request for a new one
 * also tells why a suspended account is signed out.
 *
 * Never retries as a different user who has signed in here in the meantime.
 *
 * @throws ApiFailure.
 */
export async function withAccessToken<Answer>(
  send: (token: string | null) => Promise<Answer>,
): Promise<Answer> {
  const token = session.token()
  const userId = userOf(session.read())?.id
  try {
    return await send(token)
  } catch (error) {
    if (token === null || !isSessionOver(error)) throw error
    if (session.token() === token) await session.refresh()
    if (session.token() === null || userOf(session.read())?.id !== userId) throw error
    return send(session.token())
  }
}
