import type { IncomingHttpHeaders } from 'node:http'
import { createAgentClient, exportPublicKey, generateAgentKey } from '@svc/client'
import { challengeHandler, gateway } from '@svc/client/express'
import { expect } from 'chai'
import express from 'express'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, type Organisation, registerEndpoint } from '../../builders/participants.ts'
import { listen } from '../../harness/peers/listen.ts'
import { readSignedRequest } from '../../harness/peers/readSignedRequest.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

const AGENT = `SVC-${'A'.repeat(22)}`

describe('createAgentClient', () => {
  let service: StartedService
  let shop: Organisation

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
  })
  after(() => service.stop())

  const clientOf = (fields: object = {}) =>
    createAgentClient({
      apiBaseUrl: `${service.baseUrl}/api`,
      account: privateKeyToAccount(generatePrivateKey()),
      purpose: 'shopping:buy',
      ...fields,
    })

  /** Opens a protected shop and returns the names it goes by. */
  async function openShop() {
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const app = express()
    app.use(gateway({ apiBaseUrl: `${service.baseUrl}/api`, apiKey: shop.apiKey, counterpartyId }))
    app.get('/', (_req, res) => void res.json({ bought: true }))
    return { ...(await listen(app)), counterpartyId }
  }

  it('registers, presents itself and gets a token with one key', async () => {
    const client = clientOf()
    expect(() => client.a2aMetadata()).to.throw('no svcId')
    const { svcId } = await client.register({ name: 'Buyer' })
    expect(client.a2aMetadata().metadata).to.include({ 'X-Svc-Id': svcId, 'X-Svc-Purpose': 'shopping:buy' })
    expect(client.mcpMeta()._meta).to.include({ 'X-Svc-Id': svcId })
    const { agentToken, expiresIn } = await client.token()
    expect([typeof agentToken, expiresIn]).to.deep.equal(['string', 900])
  })

  it('signs the path that reaches the service behind a proxy with a path prefix', async () => {
    const proxy = await listen(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      const answer = await fetch(service.baseUrl + (req.url ?? '').replace(/^\/registry/, ''), {
        method: req.method ?? 'GET',
        headers: Object.fromEntries(
          Object.entries(req.headers)
            .filter(([name]) => name.startsWith('x-svc-') || name === 'content-type')
            .map(([name, value]) => [name, String(value)]),
        ),
        ...(body === '' ? {} : { body }),
      })
      res.writeHead(answer.status, { 'content-type': 'application/json' })
      res.end(await answer.text())
    })
    const account = privateKeyToAccount(generatePrivateKey())
    const client = createAgentClient({ apiBaseUrl: `${proxy.url}/registry/api`, account })
    await client.register({ name: 'Behind a proxy' })
    expect((await client.token()).expiresIn).to.equal(900)
    await proxy.stop()
  })

  it('acknowledges a challenge about a counterparty only while it is contacting it', async () => {
    const client = clientOf()
    const agentSite = await listen((req, res) => void challengeHandler(client)(req, res))
    const at = await openShop()
    await client.register({ name: 'Challenged', apiEndpoint: agentSite.url })
    const without = await client.fetch(at.url)
    const named = await client.fetch(at.url, {}, { counterpartyId: at.counterpartyId })
    const bought = await named.json()
    await Promise.all([at.stop(), agentSite.stop()])
    expect(without.status).to.equal(403)
    expect(bought).to.deep.equal({ bought: true })
    const challenge = { challengeId: 'c', type: 'pending_verification', counterpartyId: at.counterpartyId }
    expect(client.challenge(challenge).body).to.include({ challengeId: 'c', acknowledged: false })
  })

  it('names only the counterparty of the challenge', async () => {
    const client = clientOf()
    await client.during(['SVCE-a', 'SVCE-b'], async () => {
      const challenge = { challengeId: 'c', type: 'pending_verification', counterpartyId: 'SVCE-a' }
      expect(client.challenge(challenge).body.pendingCounterparties).to.deep.equal(['SVCE-a'])
    })
    for (const body of [null, 'x', {}, { challengeId: 1, counterpartyId: 'a' }]) {
      expect(client.challenge(body).status).to.equal(400)
    }
  })

  it('removes a counterparty after a failed contact', async () => {
    const client = clientOf({ svcId: 'SVC-0000000000000000000001' })
    const failed = client.fetch('http://127.0.0.1:9/', {}, { counterpartyId: 'SVCE-a' })
    expect(await failed.catch(() => 'failed')).to.equal('failed')
    const challenge = { challengeId: 'c', type: 'pending_verification', counterpartyId: 'SVCE-a' }
    expect(client.challenge(challenge).body.acknowledged).to.equal(false)
  })

  it('signs its requests with its key', async () => {
    const key = await generateAgentKey()
    const seen: IncomingHttpHeaders[] = []
    const site = await listen((req, res) => res.end(String(seen.push(req.headers))))
    const client = clientOf({ key, signature: { tag: 'agent-payer-auth' }, svcId: AGENT })
    await client.fetch(`${site.url}/orders`, {}, { purpose: 'shopping:pay' })
    await site.stop()
    const headers = seen[0] as Record<string, string>
    const request = { method: 'GET', url: `${site.url}/orders`, headers }
    const { components, parameters, isSignedBy } = readSignedRequest(request)
    expect(await isSignedBy(await exportPublicKey(key))).to.equal(true)
    expect(components).to.include.members(['x-svc-id', 'x-svc-purpose'])
    expect(parameters.tag).to.equal('agent-payer-auth')
    expect(headers).to.include({ 'x-svc-id': AGENT, 'x-svc-purpose': 'shopping:pay' })
  })

  it('requests a token for a counterparty, and for the key that presents it', async () => {
    const asked: { body: string; signature: string | string[] | undefined }[] = []
    const fake = await listen(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      asked.push({ body, signature: req.headers['x-svc-signature'] })
      res.setHeader('content-type', 'application/json')
      res.end(JSON.stringify({ success: true, agentToken: 't', expiresIn: 900 }))
    })
    const client = clientOf({ apiBaseUrl: `${fake.url}/api`, svcId: AGENT })
    for (const request of [undefined, { audience: 'SVCE-1' }, { audience: 'SVCE-1', jkt: 'k' }]) {
      expect(await client.token(request)).to.deep.equal({ agentToken: 't', expiresIn: 900 })
    }
    await fake.stop()
    expect(asked.map(({ body }) => body)).to.deep.equal([
      '',
      '{"audience":"SVCE-1"}',
      '{"audience":"SVCE-1","jkt":"k"}',
    ])
    for (const { signature } of asked) expect(signature).to.match(/^0x[0-9a-f]{130}$/)
  })

  it('rejects an invalid base URL', () => {
    expect(() => clientOf({ apiBaseUrl: 'https://svc.io' })).to.throw('ending in /api')
  })
})
