import { callApi } from '../../api/callApi.ts'
import { request } from '../../api/request.ts'
import type { Endpoint } from '../../api/types.ts'

/** The new endpoint, with what is shown this once. */
export type RegisteredEndpoint = { svceId: string; webhookSecret: string; endpoint: Endpoint; key: string }

/**
 * Registers an endpoint of an organisation by a new API key of it.
 *
 * Only such a key may register (Spec: POST /api/endpoints); where the registration fails, the key is revoked again.
 *
 * @throws ApiFailure.
 */
export async function registerEndpoint(organizationId: string, body: object): Promise<RegisteredEndpoint> {
  const name = 'Made when an endpoint was registered in the dashboard'
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
