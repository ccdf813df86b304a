import { ApiFailure } from './apiFailure.ts'
import { callApi } from './callApi.ts'
import { type AssertionOptions, assertPasskey } from './passkeyCeremonies.ts'

const PATH = '/api/auth/passkeys/authentication'

/**
 * Runs an action and, if the service requires a fresh passkey assertion, asks for one and runs the action again.
 *
 * @param action Receives the token for `X-Svc-Elevation`; null on the first attempt.
 * @throws ApiFailure; `PASSKEY_NEEDED` if the account has no passkey. Source: api.md "Accounts".
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
  const response = await assertPasskey(await requestChallenge())
  const { elevationToken } = await callApi<{ elevationToken: string }>({
    method: 'POST',
    path: `${PATH}/verify`,
    body: { response },
  })
  return elevationToken
}

async function requestChallenge(): Promise<AssertionOptions> {
  try {
    const path = `${PATH}/options`
    return (await callApi<{ options: AssertionOptions }>({ method: 'POST', path, body: {} })).options
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'INVALID_STATE') throw error
    throw new ApiFailure('PASSKEY_NEEDED', 'This action requires a passkey, and your account has none yet.')
  }
}
