import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { trustFactsOf } from '../../server/services/agents/trustFactsOf.ts'
import { createVerificationCaches } from '../../server/services/verification/createVerificationCaches.ts'
import { createAgentKeyStore } from '../../server/store/agents/agentKeyStore.ts'
import { createAgentStore } from '../../server/store/agents/agentStore.ts'
import { createCredentialStore } from '../../server/store/agents/credentialStore.ts'
import { createOwnerFactsStore } from '../../server/store/agents/ownerFactsStore.ts'
import { listenToChanges } from '../../server/store/database/changes.postgres.ts'
import { openPostgresDatabase } from '../../server/store/database/database.postgres.ts'
import type { Db } from '../../server/store/database/database.ts'
import { createAllowlistStore } from '../../server/store/endpoints/allowlistStore.ts'
import { createEndpointStore } from '../../server/store/endpoints/endpointStore.ts'
import { createAgentKey } from '../builders/createAgentKey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../builders/participants.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

describe('the keys of an agent in several processes over one PostgreSQL', () => {
  let two: TwoProcesses
  let shop: Organisation
  let counterpartyId: string

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses()
    shop = await createOrganisation(baseUrl(0))
    counterpartyId = await registerEndpoint(baseUrl(0), shop.apiKey)
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth] ?? ''

  /** Registers an agent, and returns functions that change its keys at one of the processes. */
  async function createAgent() {
    const account = privateKeyToAccount(generatePrivateKey())
    const { svcId } = await registerAgent(baseUrl(0), {}, { account })
    const change = async (nth: number, method: string, path: string, body?: object) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = await signHeaders(account, { method, path, body: text })
      const answer = await api(baseUrl(nth), method, path, {
        headers,
        ...(body === undefined ? {} : { body }),
      })
      expect(answer.status, JSON.stringify(answer.body)).to.be.below(300)
    }
    const { jwk, kid } = createAgentKey()
    const path = `/api/agents/${svcId}/keys`
    return {
      svcId,
      addKey: (nth: number) => change(nth, 'POST', path, { key: jwk }),
      revokeKey: (nth: number) => change(nth, 'DELETE', `${path}/${kid}`),
    }
  }

  it('raise what requests have to prove in both, in the changing one with the response', async () => {
    const agent = await createAgent()
    const decide = async (nth: number): Promise<string> => {
      const body = { agentId: agent.svcId, counterpartyId }
      const answer = await api(baseUrl(nth), 'POST', '/api/agents/verify-access', {
        bearer: shop.apiKey,
        body,
      })
      return answer.body.access.failures?.[0].dimension ?? answer.body.recommendation
    }
    expect([await decide(0), await decide(1)]).to.deep.equal(['grant', 'grant'])
    await agent.addKey(0)
    expect(await decide(0)).to.equal('agent.proof')
    await waitUntil(async () => ((await decide(1)) === 'agent.proof' ? true : null))
  })

  it('are no longer active in the memory of any process once one has revoked them', async () => {
    const agent = await createAgent()
    await agent.addKey(0)
    const third = await openThirdProcess(two.databaseUrl)
    try {
      const revokedAt = async () => (await third.caches.agentBySvcId(agent.svcId))?.keys[0]?.revokedAt
      expect(await revokedAt()).to.equal(null)
      await agent.revokeKey(1)
      await waitUntil(async () => (typeof (await revokedAt()) === 'number' ? true : null))
    } finally {
      await third.stop()
    }
  })
})

/** The caches of a process that follows the changes of the others. */
async function openThirdProcess(url: string) {
  const db = await openPostgresDatabase(url)
  const caches = createCaches(db)
  const changes = await listenToChanges(url, {
    onChange: ({ kind, ids: [id = ''] }) => kind === 'agent' && caches.onAgentChanged(id),
    onMissed: () => undefined,
    log: { warn: () => undefined },
  })
  return {
    caches,
    async stop() {
      await changes.stop()
      await db.close()
    },
  }
}

function createCaches({ query }: Db) {
  const owners = createOwnerFactsStore(query)
  return createVerificationCaches({
    agents: createAgentStore(query),
    endpoints: createEndpointStore(query),
    allowlists: createAllowlistStore(query),
    agentKeys: createAgentKeyStore(query),
    credentials: createCredentialStore(query),
    keepContext: async () => undefined,
    trustFactsOf: async (row) => trustFactsOf(row, await owners.ofOwner(row.ownerId)),
    behaviourOf: async () => undefined,
    max: 10,
  })
}
