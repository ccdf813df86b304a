import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { startTxtNameServer } from '../../../harness/peers/startTxtNameServer.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('a host that its first owner has not proven', () => {
  const records = new Map<string, string[]>()
  let names: Awaited<ReturnType<typeof startTxtNameServer>>
  let service: StartedService
  let squatter: Organisation
  let shop: Organisation

  before(async () => {
    names = await startTxtNameServer(records)
    service = await startService({ settings: { DNS_SERVERS: names.address } })
    squatter = await createOrganisation(service.baseUrl)
    shop = await createOrganisation(service.baseUrl)
  })
  after(async () => {
    await service.stop()
    await names.stop()
  })

  const register = (counterpartyUrl: string, headers: Record<string, string> = {}) =>
    api(service.baseUrl, 'POST', '/api/endpoints', {
      bearer: shop.apiKey,
      body: { name: 'Shop', counterpartyUrl },
      headers,
    })
  const verify = async (bearer: string, body: object) =>
    (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer, body })).body
  const check = (svceId: string) =>
    api(service.baseUrl, 'POST', `/api/endpoints/${svceId}/verify-domain`, { bearer: shop.apiKey })

  it('goes to the account that publishes the DNS record, under the same Idempotency-Key', async () => {
    const url = `https://${randomUUID()}.shop-host.invalid/api`
    const [agent, taken] = [
      await registerAgent(service.baseUrl),
      await registerEndpoint(service.baseUrl, squatter.apiKey, { counterpartyUrl: url }),
    ]
    const asked = { agentId: agent.svcId, counterpartyUrl: url }
    expect((await verify(squatter.apiKey, asked)).recommendation).to.equal('grant')
    expect((await verify(shop.apiKey, asked)).code).to.equal('COUNTERPARTY_KEY_MISMATCH')
    const headers = { 'idempotency-key': randomUUID() }
    const refused = await register(url, headers)
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'URL_ALREADY_CLAIMED'])
    const { dns } = refused.body.challenge
    records.set(dns.name, ['v=spf1 -all', dns.value])
    const { status, body } = await register(url, headers)
    expect([status, body.endpoint?.verificationTier]).to.deep.equal([201, 'domain_verified'])
    expect((await register(url, headers)).body).to.deep.equal(body)
    expect((await verify(shop.apiKey, asked)).recommendation).to.equal('grant')
    const closed = await verify(squatter.apiKey, { agentId: agent.svcId, counterpartyId: taken })
    expect(closed.access.failures[0].dimension).to.equal('counterparty.status')
    const late = await api(service.baseUrl, 'POST', `/api/endpoints/${taken}/verify-domain`, {
      bearer: squatter.apiKey,
    })
    expect([late.status, late.body.code]).to.deep.equal([409, 'INVALID_STATE'])
    const { items } = (await api(service.baseUrl, 'GET', '/api/alerts', { bearer: squatter.accessToken }))
      .body
    expect(items.map(({ code, data }: { code: string; data: object }) => [code, data])).to.deep.include([
      'endpoint.host_lost',
      { host: new URL(url).hostname, svceId: taken },
    ])
  })

  it('goes to the account that publishes the file, which later proves the endpoint as well', async () => {
    let file = '{"verifications": []}'
    const server = createServer((req, res) => {
      res.writeHead(req.url === '/.well-known/svc-endpoint-verification.json' ? 200 : 404)
      res.end(file)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
      await registerEndpoint(service.baseUrl, squatter.apiKey, { counterpartyUrl: url })
      const { challenge } = (await register(url)).body
      expect(challenge.wellKnown.url).to.equal(
        new URL('/.well-known/svc-endpoint-verification.json', url).href,
      )
      file = JSON.stringify(challenge.wellKnown.body)
      const { status, body } = await register(url)
      expect([status, body.endpoint?.verificationTier]).to.deep.equal([201, 'domain_verified'])
      const checked = (await check(body.svceId)).body
      expect(checked).to.include({ verified: true, method: 'well_known' })
      file = JSON.stringify(checked.challenge.wellKnown.body)
      expect((await check(body.svceId)).body).to.include({ verified: true })
      file = '{"verifications": []}'
      expect((await check(body.svceId)).body).to.include({ verified: false })
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
