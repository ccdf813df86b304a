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

describe('POST /api/endpoints/:id/verify-domain', () => {
  const records = new Map<string, string[]>()
  let names: Awaited<ReturnType<typeof startTxtNameServer>>
  let service: StartedService
  let shop: Organisation

  before(async () => {
    names = await startTxtNameServer(records)
    service = await startService({ settings: { DNS_SERVERS: names.address } })
    shop = await createOrganisation(service.baseUrl)
  })
  after(async () => {
    await service.stop()
    await names.stop()
  })

  const newHost = () => `${randomUUID()}.shop-host.invalid`
  const register = (url: string) => registerEndpoint(service.baseUrl, shop.apiKey, { counterpartyUrl: url })
  const check = (svceId: string, bearer = shop.apiKey) =>
    api(service.baseUrl, 'POST', `/api/endpoints/${svceId}/verify-domain`, { bearer })
  const tierOf = async (svceId: string) =>
    (await api(service.baseUrl, 'GET', `/api/endpoints/${svceId}`, { bearer: shop.apiKey })).body.endpoint
      .verificationTier
  const eventsOf = async (svceId: string): Promise<string[]> => {
    const path = `/api/activity?endpoint=${svceId}`
    const { body } = await api(service.baseUrl, 'GET', path, { bearer: shop.apiKey })
    return body.items.map((event: { eventType: string }) => event.eventType)
  }

  it('returns the same token each time, and why it was not found', async () => {
    const host = newHost()
    const svceId = await register(`https://${host}/api`)
    const { status, body } = await check(svceId)
    expect(status).to.equal(200)
    expect(body).to.deep.include({ verified: false, method: null })
    expect(body.challenge.dns).to.include({ name: `_svc-challenge.${host}`, type: 'TXT' })
    expect(body.challenge.wellKnown.url).to.equal(
      `https://${host}/.well-known/svc-endpoint-verification.json`,
    )
    expect(body.failures).to.deep.equal([
      { method: 'dns', reason: 'not_found' },
      { method: 'well_known', reason: 'unreachable' },
    ])
    expect((await check(svceId)).body.challenge).to.deep.equal(body.challenge)
    expect(await tierOf(svceId)).to.equal('self_asserted')
  })

  it('raises the tier when the record is in DNS, once', async () => {
    const host = newHost()
    const svceId = await register(`https://${host}/api`)
    const { challenge } = (await check(svceId)).body
    records.set(challenge.dns.name, ['v=spf1 -all', challenge.dns.value])
    const { body } = await check(svceId)
    expect(body).to.deep.include({ verified: true, method: 'dns', failures: [] })
    expect(body.endpoint.verificationTier).to.equal('domain_verified')
    await check(svceId)
    expect(await eventsOf(svceId)).to.deep.equal(['endpoint.domain_verified', 'endpoint.registered'])
  })

  it('does not accept the token of another endpoint', async () => {
    const host = newHost()
    const [one, two] = [await register(`https://${host}/1`), await register(`https://${host}/2`)]
    const { challenge } = (await check(one)).body
    records.set(challenge.dns.name, [challenge.dns.value])
    const { body } = await check(two)
    expect(body.verified).to.equal(false)
    expect(body.failures[0]).to.deep.equal({ method: 'dns', reason: 'mismatch' })
  })

  describe('with a file under the origin', () => {
    let file: { status: number; body: string; headers?: Record<string, string> }
    const server = createServer((req, res) => {
      const isFile = req.url === '/.well-known/svc-endpoint-verification.json'
      res.writeHead(isFile ? file.status : 404, file.headers)
      res.end(isFile ? file.body : '')
    })
    let url: string
    let svceId: string

    before((done) => {
      server.listen(0, '127.0.0.1', done)
    })
    after((done) => {
      server.close(done)
    })
    beforeEach(async () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      file = { status: 404, body: '' }
      svceId = await register(`${url}/${randomUUID()}`)
    })

    it('finds the endpoint among those in the file', async () => {
      const { challenge } = (await check(svceId)).body
      const { verifications } = challenge.wellKnown.body
      const others = [{ svceId: 'SVCE-0000000000000000000000', token: 'x' }]
      file = { status: 200, body: JSON.stringify({ verifications: [...others, ...verifications] }) }
      expect((await check(svceId)).body).to.include({ verified: true, method: 'well_known' })
    })

    it('rejects a file with another token, from another location, or without JSON', async () => {
      const { challenge } = (await check(svceId)).body
      const right = JSON.stringify(challenge.wellKnown.body)
      const wrong = [
        { status: 200, body: '{}', reason: 'mismatch' },
        { status: 200, body: right.slice(1), reason: 'mismatch' },
        { status: 200, body: right.replace(svceId, 'SVCE-0000000000000000000000'), reason: 'mismatch' },
        { status: 302, body: right, headers: { location: '/elsewhere' }, reason: 'not_found' },
        { status: 200, body: ' '.repeat(70_000) + right, reason: 'unreachable' },
      ]
      for (const { reason, ...answer } of wrong) {
        file = answer
        expect((await check(svceId)).body.failures[1]).to.deep.equal({ method: 'well_known', reason })
      }
    })
  })

  it('counts for agents that require a minimum counterparty score', async () => {
    const svceId = await register(`https://${newHost()}/api`)
    const { svcId } = await registerAgent(service.baseUrl, {
      pdlss: { scope: { minCounterpartyTrustScore: 60 } },
    })
    const verify = async () =>
      (
        await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body: { agentId: svcId, counterpartyId: svceId },
        })
      ).body
    expect((await verify()).access.failures[0].dimension).to.equal('counterparty.trust')
    const { challenge } = (await check(svceId)).body
    records.set(challenge.dns.name, [challenge.dns.value])
    await check(svceId)
    expect((await verify()).recommendation).to.equal('grant')
  })

  it('is available to those who act for the owner, for claimed and active endpoints', async () => {
    const svceId = await register(`https://${newHost()}/api`)
    const stranger = await createOrganisation(service.baseUrl)
    expect((await check(svceId, stranger.apiKey)).status).to.equal(404)
    expect((await api(service.baseUrl, 'POST', `/api/endpoints/${svceId}/verify-domain`)).status).to.equal(
      401,
    )
    const path = `/api/endpoints/${svceId}/deactivate`
    await api(service.baseUrl, 'POST', path, { bearer: shop.accessToken })
    const { status, body } = await check(svceId)
    expect([status, body.code]).to.deep.equal([409, 'INVALID_STATE'])
  })
})
