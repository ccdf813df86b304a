import { ApiFailure } from './apiFailure.ts'
import { callApi } from './callApi.ts'
import { type AssertionOptions, answerByPasskey } from './passkeyCeremonies.ts'

const PATH = '/api/auth/passkeys/authentication'

/**
 * Does what may want a fresh passkey: where the service says so, the passkey is asked for and it is done once more.
 *
 * @param action Gets the token for `X-Svc-Elevation`; null the first time.
 * @throws ApiFailure, PASSKEY_NEEDED for an account that has none among it. Source: api.md "Accounts".
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
  const response = await answerByPasskey(await optionsToElevate())
  const { elevationToken } = await callApi<{ elevationToken: string }>({
    method: 'POST',
    path: `${PATH}/verify`,
    body: { response },
  })
  return elevationToken
}

async function optionsToElevate(): Promise<AssertionOptions> {
  try {
    const path = `${PATH}/options`
    return (await callApi<{ options: AssertionOptions }>({ method: 'POST', path, body: {} })).options
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'INVALID_STATE') throw error
    throw new ApiFailure('PASSKEY_NEEDED', 'This needs a passkey, and your account has none yet.')
  }
}
