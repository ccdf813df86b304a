import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { DomainDeps } from '../../../../server/services/domains/domainDeps.ts'
import type { FoundDomainProof } from '../../../../server/services/domains/findDomainProof.ts'
import { recheckDomains } from '../../../../server/services/domains/recheckDomains.ts'
import { verifyDomain } from '../../../../server/services/domains/verifyDomain.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { createDomainProofStore } from '../../../../server/store/endpoints/domainProofStore.ts'
import { createEndpointStore, type EndpointRow } from '../../../../server/store/endpoints/endpointStore.ts'
import { buildKeyPrincipal } from '../../../builders/buildKeyPrincipal.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const START = Date.UTC(2026, 0, 5)
const HOUR = 3_600_000
const OWNER = 'SVCO-0000000000000000000001'
const FOUND: FoundDomainProof = { method: 'dns', failures: [] }
const GONE: FoundDomainProof = { method: null, failures: [{ method: 'dns', reason: 'not_found' }] }

const ENDPOINT: EndpointRow = {
  id: '01938000-0000-7000-8000-000000000001',
  svceId: 'SVCE-0000000000000000000001',
  ownerId: OWNER,
  tier: 'self_asserted',
  status: 'active',
  counterpartyType: 'api',
  name: 'Shop',
  url: 'https://shop-host.io',
  host: 'shop-host.io',
  trustScoreRequirement: 0,
  unverifiedAgentPolicy: 'deny',
  requiredFacts: [],
  minIdentityProof: 'none',
  authorities: [],
  includeReceipt: false,
  pdlss: {},
  pdlssSalt: '00'.repeat(16),
  pdlssHash: `0x${'00'.repeat(32)}`,
  routes: [],
  webhookSecret: null,
  webhookSecretLastFour: null,
  webhookUrl: null,
  createdAt: START,
  updatedAt: START,
}

describe('recheckDomains', () => {
  let opened: TemporaryDatabase
  let deps: DomainDeps
  let published: FoundDomainProof
  let looked: number
  let alerts: string[]
  let told: string[]

  beforeEach(async () => {
    opened = await openTemporaryDatabase()
    const { db } = opened
    published = FOUND
    looked = 0
    alerts = []
    told = []
    deps = {
      db,
      stores: {
        endpoints: createEndpointStore(db.query),
        proofs: createDomainProofStore(db.query),
        records: createAuditRecordStore(db.query),
      },
      find: async () => {
        looked += 1
        return published
      },
      onTierChanged: async ({ tier }) => void told.push(tier),
      raiseAlert: ({ ownerId, code }) => alerts.push(`${ownerId} ${code}`),
      randomBytes,
    }
    await db.transaction((trx) => deps.stores.endpoints.insert(trx, ENDPOINT))
    const principal = buildKeyPrincipal(OWNER)
    await verifyDomain(deps, { id: ENDPOINT.id, principal, now: START, waitForHost: (work) => work() })
    looked = 0
  })
  afterEach(() => opened.remove())

  const tier = async () => (await deps.stores.endpoints.byAnyId(ENDPOINT.id))?.tier

  it('checks once a day', async () => {
    expect(await recheckDomains(deps, START + 24 * HOUR - 1)).to.equal(0)
    expect(await recheckDomains(deps, START + 24 * HOUR)).to.equal(1)
    expect(await recheckDomains(deps, START + 24 * HOUR)).to.equal(0)
    expect([looked, await tier()]).to.deep.equal([1, 'domain_verified'])
  })

  it('revokes the tier after three failed checks an hour apart, and notifies the owner', async () => {
    published = GONE
    const tiers = []
    for (const hours of [24, 25, 26]) {
      expect(await recheckDomains(deps, START + hours * HOUR)).to.equal(1)
      tiers.push(await tier())
    }
    expect(tiers).to.deep.equal(['domain_verified', 'domain_verified', 'self_asserted'])
    expect(told).to.deep.equal(['domain_verified', 'self_asserted'])
    expect(alerts).to.deep.equal([`${OWNER} endpoint.domain_lapsed`])
    expect(await recheckDomains(deps, START + 1000 * HOUR)).to.equal(0)
  })

  it('resets failures as soon as the token is found again', async () => {
    for (const [hours, found] of [
      [24, GONE],
      [25, GONE],
      [26, FOUND],
      [50, GONE],
      [51, GONE],
    ] as const) {
      published = found
      await recheckDomains(deps, START + hours * HOUR)
    }
    expect([await tier(), alerts]).to.deep.equal(['domain_verified', []])
  })

  it('is done by one of several processes, and by another if that one dies', async () => {
    const due = START + 24 * HOUR
    const counts = await Promise.all([1, 2, 3].map(() => recheckDomains(deps, due)))
    expect(counts.reduce((sum, count) => sum + count)).to.equal(1)
    const next = due + 24 * HOUR
    await deps.stores.proofs.takeDue(next, next + 600_000, 20)
    expect(await recheckDomains(deps, next)).to.equal(0)
    expect(await recheckDomains(deps, next + 600_000)).to.equal(1)
  })

  it('skips an endpoint that its owner has deactivated', async () => {
    await opened.db.transaction((trx) =>
      deps.stores.endpoints.update(trx, ENDPOINT.id, { status: 'deactivated' }),
    )
    published = GONE
    for (const hours of [24, 25, 26, 27]) await recheckDomains(deps, START + hours * HOUR)
    expect([await tier(), alerts]).to.deep.equal(['domain_verified', []])
  })
})
