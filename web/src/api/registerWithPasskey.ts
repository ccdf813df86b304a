import type { BodyOf } from '@svc/core/contract/operations.ts'
import { ApiFailure } from './apiFailure.ts'
import { callApi } from './callApi.ts'
import { assertPasskey } from './passkeyCeremonies.ts'

/**
 * Registers an agent for the signed-in account: its passkey signs a digest of every field.
 *
 * @returns The identifier of the agent.
 * @throws ApiFailure. Source: docs/decisions/0097.
 */
export async function registerWithPasskey(body: BodyOf<'POST /api/registration-requests'>): Promise<string> {
  const { request } = await callApi('POST /api/registration-requests', { body })
  const { requestId, assertionOptions } = request
  if (assertionOptions === null) {
    throw new ApiFailure('PASSKEY_NEEDED', 'This action requires a passkey, and your account has none yet.')
  }
  const response = await assertPasskey(assertionOptions)
  const params = { requestId }
  const approved = await callApi('POST /api/registration-requests/:requestId/approve', {
    params,
    body: { response },
  })
  const { svcId } = approved.request
  if (svcId === null) throw new ApiFailure('UNEXPECTED', 'The agent was not registered.')
  return svcId
}
