import type { RequestListener } from 'node:http'
import {
  type AgentKey,
  createAgentClient,
  createIntentProof,
  exportPublicKey,
  generateAgentKey,
} from '@svc/client'
import { captureBody, type GatewayRequest, gateway } from '@svc/client/express'
import { expect } from 'chai'
import express from 'express'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, type Organisation, registerEndpoint } from '../../builders/participants.ts'
import { listen } from '../../harness/peers/listen.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'
import { bodyOf } from './openGatedShops.ts'

const ORDER = JSON.stringify({ total: 20 })
const POST: RequestInit = { method: 'POST', body: ORDER, headers: { 'content-type': 'application/json' } }

/** A request of the shop, whose body is an order or empty. */
type Ordering = GatewayRequest & { body?: { total?: number } }

describe('an agent with a key, the gateway and the service', () => {
  let service: StartedService
  let shop: Organisation
  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
  })
  after(() => service.stop())

  /** Opens a shop on Express that requires a signature, and returns what its handler saw. */
  async function openShop(routes: object[] = []) {
    const app = express()
    const site = await listen(((req, res) => app(req, res)) as RequestListener)
    const authority = new URL(site.url).host
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey, {
      ...{ authorities: [authority], routes, minIdentityProof: routes.length > 0 ? 'none' : 'signature' },
    })
    app.use(
      express.json({ verify: captureBody }),
      gateway<Ordering>({
        ...{ apiBaseUrl: `${service.baseUrl}/api`, apiKey: shop.apiKey, counterpartyId },
        describeRequest: ({ body }) =>
          body?.total === undefined ? {} : { transactionValue: body.total, currency: 'EUR' },
      }),
    )
    app.use((req, res) => void res.json({ identityProof: req.identityProof, body: req.body }))
    return { ...site, counterpartyId }
  }

  /** Registers an agent with the public half of a key, with which its client signs. */
  async function openAgent(key: AgentKey | undefined, keys = [] as unknown[]) {
    const account = privateKeyToAccount(generatePrivateKey())
    const agent = createAgentClient({
      ...{ apiBaseUrl: `${service.baseUrl}/api`, account, purpose: 'shopping:buy', key },
    })
    const { svcId } = await agent.register({
      name: 'Buyer',
      pdlss: { purpose: { categories: ['shopping'] } },
      ...(keys.length === 0 ? {} : { keys: keys as [] }),
    })
    return { agent, svcId }
  }

  for (const algorithm of ['ed25519', 'ecdsa-p256-sha256'] as const) {
    it(`prove each request by a signature with ${algorithm}`, async () => {
      const key = await generateAgentKey({ algorithm })
      const { agent } = await openAgent(key, [await exportPublicKey(key)])
      const at = await openShop()
      const bought = await bodyOf(await agent.fetch(`${at.url}/orders?note=a%20b`, POST))
      const read = await bodyOf(await agent.fetch(`${at.url}/catalogue`))
      await at.stop()
      expect(bought).to.deep.equal({ identityProof: 'signature', body: { total: 20 } })
      expect(read.identityProof).to.equal('signature')
    })
  }

  it('prove a request by an intent proof whose facts the shop states too', async () => {
    const key = await generateAgentKey()
    const { agent, svcId } = await openAgent(undefined, [await exportPublicKey(key)])
    const at = await openShop()
    const prove = (facts: object) =>
      createIntentProof(key, {
        agentId: svcId,
        audience: at.counterpartyId,
        purpose: 'shopping:buy',
        ...facts,
      })
    const buy = async (facts: object) => {
      const response = await agent.fetch(`${at.url}/orders`, POST, { proof: await prove(facts) })
      const { identityProof, failures, code } = await bodyOf(response)
      return identityProof ?? failures?.[0].dimension ?? code
    }
    expect(await buy({ amount: '20.00', currency: 'EUR', resource: '/orders', body: ORDER })).to.equal(
      'signature',
    )
    for (const other of [{ amount: '19' }, { resource: '/other' }, { sessionDuration: 60 }]) {
      expect(await buy(other)).to.equal('agent.proof')
    }
    expect(await buy({ body: '{}' })).to.equal('content_digest_mismatch')
    await at.stop()
  })

  it('refuse what proves too little for a route, or nothing', async () => {
    const key = await generateAgentKey()
    const stranger = await openAgent(await generateAgentKey(), [])
    const named = await openAgent(undefined, [])
    const at = await openShop([
      { pattern: '/orders', method: 'POST', minAccessLevel: 'none', minIdentityProof: 'signature' },
    ])
    const codeOf = async ({ agent }: typeof named, path: string, init: RequestInit) => {
      const response = await agent.fetch(at.url + path, init)
      const { code, failures } = await bodyOf(response)
      return [response.status, code ?? null, failures?.[0].dimension ?? null]
    }
    expect(await codeOf(named, '/catalogue', {})).to.deep.equal([200, null, null])
    expect(await codeOf(named, '/orders', POST)).to.deep.equal([403, 'identity_proof_too_weak', null])
    // Signed with a key that is not the agent's.
    expect(await codeOf(stranger, '/catalogue', {})).to.deep.equal([403, 'access_denied', 'agent.proof'])
    const owner = await openAgent(key, [await exportPublicKey(key)])
    expect(await codeOf(owner, '/orders', POST)).to.deep.equal([200, null, null])
    await at.stop()
  })
})
