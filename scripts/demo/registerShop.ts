import { randomBytes } from 'node:crypto'
import { callService } from './callService.ts'
import type { DemoContext, Shop } from './demoContext.ts'
import { openAccount } from './openAccount.ts'

/** Signs up an organisation, creates an API key and registers the endpoint that agents will call. */
export async function registerShop({ baseUrl, narrator }: DemoContext): Promise<Shop> {
  narrator.chapter('2. An organisation registers an endpoint')
  const account = await openAccount(baseUrl, {
    ...{ name: 'Acme Orders', domain: 'acme-orders.io', accountType: 'business' },
  })
  const { bearer } = account
  const mark = randomBytes(4).toString('hex')
  const { organizationId } = await callService(baseUrl, 'POST', '/api/organizations', {
    status: 201,
    bearer,
    body: { name: `Acme Orders ${mark}` },
  })
  const { key } = await callService(baseUrl, 'POST', '/api/api-keys', {
    status: 201,
    bearer,
    body: { name: 'gateway', organizationId },
  })
  const url = `https://api-${mark}.acme-orders.io/v1`
  const endpoint = await callService(baseUrl, 'POST', '/api/endpoints', {
    status: 201,
    bearer: key,
    body: {
      counterpartyType: 'api',
      name: 'Orders API',
      counterpartyUrl: url,
      trustScoreRequirement: 20,
      pdlss: {
        purpose: { categories: ['shopping', 'read_data'] },
        scope: { deniedResources: ['/admin/**'] },
      },
    },
  })
  narrator.fact('organisation', organizationId)
  narrator.fact('API key', `svc_live_…${key.slice(-4)} (shown once)`)
  narrator.fact('endpoint', endpoint.svceId)
  narrator.check('the webhook secret is shown once', /^whsec_/.test(endpoint.webhookSecret))
  return { apiKey: key, svceId: endpoint.svceId, url, account }
}
