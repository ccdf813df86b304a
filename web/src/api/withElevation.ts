import type { RequestOptions } from '@svc/core/contract/passkeys.ts'
import { ApiFailure } from './apiFailure.ts'
import { callApi } from './callApi.ts'

/**
 * Runs an action and, if the service requires a fresh passkey assertion, asks for one and runs the action again.
 *
 * @param action Receives the token for `X-Svc-Elevation`; null on the first attempt.
 * @throws ApiFailure; `PASSKEY_NEEDED` if the account has no passkey.
 */
export async function withElevation<Answer>(
  action: (elevation: string | null) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await action(null)
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'ELEVATION_REQUIRED') throw error
  }
  return action(await elevate())
}

async function elevate(): Promise<string> {
  const [{ assertPasskey }, options] = await Promise.all([
    // Loaded on demand: few pages need it, and the first page waits for whatever all pages import.
    import('./passkeyCeremonies.ts'),
    requestChallenge(),
  ])
  const response = await assertPasskey(options)
  const answer = await callApi('POST /api/auth/passkeys/authentication/verify', { body: { response } })
  if ('elevationToken' in answer) return answer.elevationToken
  throw new ApiFailure('SIGNED_OUT', 'You have signed out in the meantime.', { status: 401 })
}

async function requestChallenge(): Promise<RequestOptions> {
  try {
    return (await callApi('POST /api/auth/passkeys/authentication/options')).options
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'INVALID_STATE') throw error
    throw new ApiFailure('PASSKEY_NEEDED', 'This action requires a passkey, and your account has none yet.')
  }
}
