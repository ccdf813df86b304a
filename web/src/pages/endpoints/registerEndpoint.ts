import { callApi } from '../../api/callApi.ts'
import { request } from '../../api/request.ts'
import type { Endpoint } from '../../api/types.ts'

/** The new endpoint with its secrets, which are shown only once. */
export type RegisteredEndpoint = { svceId: string; webhookSecret: string; endpoint: Endpoint; key: string }

/**
 * Registers an endpoint of an organisation with a newly created API key of that organisation.
 *
 * Only such a key can register endpoints (Spec: POST /api/endpoints). If the registration fails, the key is revoked.
 *
 * @throws ApiFailure.
 */
export async function registerEndpoint(organizationId: string, body: object): Promise<RegisteredEndpoint> {
  const name = 'Created when registering an endpoint in the dashboard'
  const created = await callApi<{ id: string; key: string }>({
    method: 'POST',
    path: '/api/api-keys',
    body: { name, organizationId },
  })
  try {
    const outgoing = { method: 'POST', path: '/api/endpoints', body } as const
    const answer = await request<Omit<RegisteredEndpoint, 'key'>>(outgoing, created.key)
    return { ...answer, key: created.key }
  } catch (error) {
    await callApi({ method: 'DELETE', path: `/api/api-keys/${created.id}` }).catch(() => null)
    throw error
  }
}
