import { createAgentProver } from '../../../builders/createAgentProver.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

export const PATH = '/api/agents/verify-access'

/** Values that only the agent’s owner may see. */
const CANARIES = {
  purpose: { categories: ['shopping', 'canarycategory'], allowedActions: ['buy', 'canaryaction'] },
  duration: { maxSessionDuration: 7_777_771, ttl: 7_777_772 },
  limits: { autonomousThreshold: 100.25, stepUpThreshold: 200.75, approvalThreshold: 500.5, currency: 'USD' },
  scope: { resources: ['/orders/**', '/canaryresource/*'], jurisdictions: ['DE', 'CANARYLAND'] },
}

/** The texts by which a leak of those values is detected. */
export const CANARY_TEXTS = ['canary', '7777771', '7777772', '100.25', '200.75', '500.5', 'CANARY']

export type VerifyAccessScene = Awaited<ReturnType<typeof openVerifyAccess>>

/** The whole service with a shop that verifies, and an agent whose boundary would be noticed in a leak. */
export async function openVerifyAccess() {
  const service = await startService()
  const shop = await createOrganisation(service.baseUrl)
  const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
  const shopper = await registerAgent(service.baseUrl, { pdlss: CANARIES })
  const prover = createAgentProver(service.baseUrl, Date.now)
  prover.add(shopper.svcId, shopper.account)
  /** Verifies a request, which proves the shopper by a token. */
  const verify = async (body: object, options: { bearer?: string; headers?: Record<string, string> } = {}) =>
    api(service.baseUrl, 'POST', PATH, { bearer: shop.apiKey, ...options, body: await prover.prove(body) })
  const inMandate = () => ({
    agentId: shopper.svcId,
    counterpartyId: svceId,
    purpose: 'shopping:buy',
    resource: '/orders/1',
    jurisdiction: 'de',
    transactionValue: 20,
    currency: 'USD',
  })
  const dimensionsOf = (answer: { body: { access: { failures?: { dimension: string }[] } } }) =>
    (answer.body.access.failures ?? []).map((failure) => failure.dimension)
  const events = async (query = '') =>
    (await api(service.baseUrl, 'GET', `/api/activity?limit=100${query}`, { bearer: shop.apiKey })).body.items

  return { service, shop, svceId, shopper, verify, inMandate, dimensionsOf, events }
}
