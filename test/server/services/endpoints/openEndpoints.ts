import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import { expect } from 'chai'
import type { EndpointRow } from '../../../../server/store/endpoints/endpointStore.ts'
import { newPerson, openRegistry, type Registry } from '../agents/openRegistry.ts'

const PATH = '/api/endpoints'

export type Endpoints = Awaited<ReturnType<typeof openEndpoints>>

/** A registry with an owner and a stranger, and shortcuts for the operations of endpoints. */
export async function openEndpoints(options: Parameters<typeof openRegistry>[0] = {}) {
  const registry: Registry = await openRegistry(options)
  const owner = await newPerson(registry)
  const stranger = await newPerson(registry)
  let drawn = 0

  const newUrl = () => `https://api${++drawn}.shop-host.io/v1`
  const bodyOf = (changes: object = {}) => ({
    counterpartyType: 'api',
    name: 'Shop API',
    counterpartyUrl: newUrl(),
    trustScoreRequirement: 40,
    ...changes,
  })
  const post = (body: unknown, bearer = owner.organizationKey) =>
    registry.call('POST', PATH, { body, bearer })
  return {
    registry,
    owner,
    stranger,
    newUrl,
    bodyOf,
    post,
    get: (path: string, bearer?: string) =>
      registry.call('GET', `${PATH}${path}`, bearer === undefined ? {} : { bearer }),
    put: (id: string, body: unknown, bearer = owner.organizationKey) =>
      registry.call('PUT', `${PATH}/${id}`, { body, bearer }),
    /** Registers an endpoint, which must succeed. */
    async registered(changes: object = {}) {
      const answer = await post(bodyOf(changes))
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
      return answer.body
    },
    async rowOf(id: string): Promise<EndpointRow> {
      const row = await registry.stores.endpoints.byAnyId(id)
      if (!row) throw new Error('the endpoint is gone')
      return row
    },
    archive: (id: string) =>
      registry.db.transaction((trx) => registry.stores.endpoints.update(trx, id, { status: 'archived' })),
    /** Stores the endpoint that a verification at an unregistered URL discovers. */
    async discovered(ownerId: string, url = newUrl()): Promise<EndpointRow> {
      const id = `01938000-0000-7000-8000-${String(++drawn).padStart(12, '0')}`
      const row = discoveredRow(id, ownerId, url)
      await registry.db.transaction((trx) => registry.stores.endpoints.insert(trx, row))
      return row
    },
    close: registry.close,
  }
}

function discoveredRow(id: string, ownerId: string, url: string): EndpointRow {
  const pdlssSalt = '00'.repeat(16)
  return {
    id,
    svceId: null,
    ownerId,
    tier: 'discovered',
    status: 'active',
    counterpartyType: 'api',
    name: 'host',
    url,
    host: new URL(url).hostname,
    trustScoreRequirement: 0,
    unverifiedAgentPolicy: 'deny',
    requiredFacts: [],
    minIdentityProof: 'none',
    authorities: [],
    includeReceipt: false,
    pdlss: {},
    pdlssSalt,
    pdlssHash: hashPdlss(pdlssSalt, {}),
    routes: [],
    webhookSecret: null,
    webhookSecretLastFour: null,
    webhookUrl: null,
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
  }
}
