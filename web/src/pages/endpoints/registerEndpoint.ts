import type { AnswerOf, BodyOf } from '@svc/core/contract/operations.ts'
import { callApi } from '../../api/callApi.ts'
import { request } from '../../api/request.ts'

/** The new endpoint with its secrets, which are shown only once. */
export type RegisteredEndpoint = AnswerOf<'POST /api/endpoints'> & { key: string }

/**
 * Registers an endpoint of an organisation with a newly created API key of that organisation.
 *
 * Only such a key can register endpoints (Spec: POST /api/endpoints). If the registration fails, the key is revoked.
 *
 * @throws ApiFailure.
 */
export async function registerEndpoint(
  organizationId: string,
  body: BodyOf<'POST /api/endpoints'>,
): Promise<RegisteredEndpoint> {
  const name = 'Created when registering an endpoint in the dashboard'
  const { id, key } = await callApi('POST /api/api-keys', { body: { name, organizationId } })
  try {
    return { ...(await request('POST /api/endpoints', { body }, key)), key }
  } catch (error) {
    await callApi('DELETE /api/api-keys/:id', { params: { id } }).catch(() => null)
    throw error
  }
}
