import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'

/** Registers an endpoint with a webhook at a receiver; `verify` causes an event at it, in whichever process. */
export async function hookEndpoint(baseUrl: string, receiverUrl: string) {
  const { apiKey } = await createOrganisation(baseUrl)
  const svceId = await registerEndpoint(baseUrl, apiKey)
  const body = { url: `${receiverUrl}/hook` }
  const set = await api(baseUrl, 'POST', `/api/endpoints/${svceId}/webhook`, { bearer: apiKey, body })
  expect(set.status, JSON.stringify(set.body)).to.equal(200)
  return {
    apiKey,
    svceId,
    verify: (at: string, headers: Record<string, string> = {}) =>
      api(at, 'POST', '/api/agents/verify-access', {
        bearer: apiKey,
        body: { counterpartyId: svceId },
        headers,
      }),
  }
}
