import { createAgentClient, exportPublicKey, generateAgentKey } from '@svc/client'
import { createReusingGateway } from '@svc/client/reuse'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, type Organisation, registerEndpoint } from '../../builders/participants.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'
import { openReusingHost, type ReusingHost } from './openReusingHosts.ts'

const OPTIONS = { apiBaseUrl: 'https://svc.test/api', apiKey: 'k', disableInitChecks: true }

describe('a gateway with reuseGrantSeconds', () => {
  let service: StartedService
  let shop: Organisation
  let agent: ReturnType<typeof createAgentClient>
  let hosts: ReusingHost[] = []

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    const key = await generateAgentKey()
    const account = privateKeyToAccount(generatePrivateKey())
    agent = createAgentClient({ apiBaseUrl: `${service.baseUrl}/api`, account, purpose: 'shopping:buy', key })
    await agent.register({ name: 'Buyer', pdlss: {}, keys: [await exportPublicKey(key)] })
  })
  afterEach(async () => {
    for (const host of hosts) await host.stop()
    hosts = []
  })
  after(() => service?.stop())

  for (const [framework, openHost] of Object.entries(openReusingHost)) {
    it(`answers requests by an earlier grant behind ${framework}, within its value, and reports them`, async () => {
      const called: string[] = []
      const warnings: string[] = []
      const host = await openHost(async (authority) => ({
        ...{ apiBaseUrl: `${service.baseUrl}/api`, apiKey: shop.apiKey, disableInitChecks: true, routes: [] },
        counterpartyId: await registerEndpoint(service.baseUrl, shop.apiKey, { authorities: [authority] }),
        reuseGrantSeconds: 60,
        // The default of `PUBLIC_URL`.
        issuer: service.baseUrl.replace('127.0.0.1', 'localhost'),
        warn: (text) => void warnings.push(text),
        fetch: (input, init) => {
          called.push(new URL(String(input)).pathname)
          return fetch(input, init)
        },
      }))
      hosts.push(host)
      const visit = async () => {
        const seen = await (await agent.fetch(`${host.url}/orders/1?page=1`)).json()
        await host.settle()
        return seen
      }
      const seen = []
      // Each takes 2 of 5.
      for (let i = 0; i < 4; i += 1) seen.push(await visit())
      expect(warnings).to.deep.equal([])
      const asked = { isReused: false, identityProof: 'signature' }
      const reused = { ...asked, isReused: true }
      expect(seen).to.deep.equal([asked, reused, asked, reused])
      const countCalls = (path: string) => called.filter((one) => one === path).length
      expect(countCalls('/api/agents/verify-access')).to.equal(2)
      expect(countCalls('/api/agents/verify-access/uses')).to.equal(2)
    })
  }

  it('has an endpoint’s identifier, and a time that is not longer than an hour', () => {
    const counterpartyId = 'SVCE-1'
    for (const reuseGrantSeconds of [0, 0.5, -1, 3_601, Number.NaN]) {
      expect(() => createReusingGateway({ ...OPTIONS, counterpartyId, reuseGrantSeconds })).to.throw(
        /^reuseGrantSeconds must be a number from 1 to 3600/,
      )
    }
    const counterpartyUrl = 'https://shop.example'
    expect(() => createReusingGateway({ ...OPTIONS, counterpartyUrl, reuseGrantSeconds: 60 })).to.throw(
      /needs counterpartyId/,
    )
  })

  it('asks the service for each request without it, and has nothing to settle', async () => {
    const gateway = createReusingGateway({
      ...{ ...OPTIONS, counterpartyUrl: 'https://shop.example', warn: () => undefined },
      fetch: async () => Response.json({}, { status: 503 }),
      wait: async () => undefined,
    })
    expect(await gateway.settle()).to.equal(undefined)
    expect((await gateway.verify({ headers: {} })).passes).to.equal(false)
  })
})
