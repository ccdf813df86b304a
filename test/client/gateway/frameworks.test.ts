import type { RequestListener } from 'node:http'
import { createGateway, createPresenter, type GatewayOptions, type Verified } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { gateway as fetchGateway } from '@svc/client/fetch'
import { expect } from 'chai'
import Fastify from 'fastify'
import { Hono } from 'hono'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../builders/participants.ts'
import { listen } from '../../harness/peers/listen.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

const MANDATE = { purpose: { categories: ['shopping'] } }

describe('gateways', () => {
  let service: StartedService
  let shop: Organisation
  let svcId: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    svcId = (await registerAgent(service.baseUrl, { pdlss: MANDATE })).svcId
  })
  after(() => service.stop())

  const optionsOf = async (fields: object = {}) => ({
    apiBaseUrl: `${service.baseUrl}/api`,
    apiKey: shop.apiKey,
    counterpartyId: await registerEndpoint(service.baseUrl, shop.apiKey, fields),
    warn: () => undefined,
  })
  const presented = (purpose: string) =>
    createPresenter({ svcId, verifyUrl: 'https://svc.test', purpose }).headers()

  describe('for Fastify', () => {
    it('adds its members to the request, sets the warning header and runs no handler of a refused request', async () => {
      const app = Fastify()
      let handled = 0
      app.addHook('preHandler', fastifyGateway(await optionsOf({ unverifiedAgentPolicy: 'audit' })))
      app.get('/orders', async (request) => {
        handled += 1
        const { verified, recommendation } = request
        return { verified, recommendation }
      })
      const ask = (headers: Record<string, string>) => app.inject({ url: '/orders', headers })
      const granted = await ask(presented('shopping:buy'))
      const anonymous = await ask({})
      const refused = await ask(presented('gambling:bet'))
      await app.close()
      expect(granted.json()).to.deep.equal({ verified: true, recommendation: 'grant' })
      expect(anonymous.headers).to.have.property('x-svc-unverified-warning')
      expect([refused.statusCode, refused.json().code]).to.deep.equal([403, 'access_denied'])
      expect(handled).to.equal(2)
    })
  })

  describe('for Fetch-style handlers', () => {
    it('pass the verified result to the handler, or respond in its place', async () => {
      const handle = fetchGateway(await optionsOf({ unverifiedAgentPolicy: 'audit' }))(
        (request, { verified, recommendation }) =>
          Response.json({ verified, recommendation, level: request.headers.get('x-svc-access-level') }),
      )
      const ask = (headers: Record<string, string>) =>
        handle(new Request('https://shop.io/orders?x=1', { headers }))
      const granted = await ask({ ...presented('shopping:buy'), 'x-svc-access-level': 'full' })
      expect(await granted.json()).to.deep.equal({ verified: true, recommendation: 'grant', level: null })
      expect((await ask({})).headers.has('x-svc-unverified-warning')).to.equal(true)
      expect((await ask(presented('gambling:bet'))).status).to.equal(403)
    })

    it('leave the body for the handler to read', async () => {
      const handle = fetchGateway({
        ...(await optionsOf()),
        describeRequest: async (request) => ({ transactionValue: (await request.clone().json()).total }),
      })(async (request) => Response.json(await request.json()))
      const headers = { ...presented('shopping:buy'), 'content-type': 'application/json' }
      const body = JSON.stringify({ total: 5 })
      const response = await handle(new Request('https://shop.io/', { method: 'POST', headers, body }))
      expect(await response.json()).to.deep.equal({ total: 5 })
    })

    it('provide the verified result as Hono’s environment', async () => {
      const app = new Hono<{ Bindings: Verified }>()
      app.get('/orders', (c) => c.json({ level: c.env.accessLevel }))
      const handle = fetchGateway(await optionsOf())((request, verified) => app.fetch(request, verified))
      const granted = await handle(
        new Request('https://shop.io/orders', { headers: presented('shopping:buy') }),
      )
      expect(await granted.json()).to.deep.equal({ level: 'standard' })
      expect((await handle(new Request('https://shop.io/orders'))).status).to.equal(403)
    })
  })

  describe('without a framework', () => {
    it('read the caller’s identity from A2A metadata and MCP _meta', async () => {
      const { verify } = createGateway(await optionsOf())
      const presenter = createPresenter({ svcId, verifyUrl: 'https://svc.test', purpose: 'shopping:buy' })
      const blocks = [presenter.a2aMetadata().metadata, presenter.mcpMeta()._meta]
      for (const metadata of blocks) {
        for (const headers of [{}, { 'x-svc-id': svcId, 'x-svc-purpose': 'other:else' }]) {
          const outcome = await verify({ metadata, headers })
          expect(outcome.passes && outcome.verified.agent?.svcId).to.equal(svcId)
        }
        const mixed = await verify({ metadata, headers: { 'x-svc-id': 'SVC-somebody-else' } })
        expect(!mixed.passes && mixed.refusal).to.deep.include({ status: 400 })
        expect(!mixed.passes && mixed.refusal.body).to.include({ code: 'agent_mismatch' })
      }
    })

    it('check whether an access level suffices for given routes', async () => {
      const { check } = createGateway(await optionsOf())
      const reaches = check([{ pattern: '/admin/**', minAccessLevel: 'full' }])
      expect([reaches('GET', '/admin/x', 'standard'), reaches('GET', '/admin/x', 'full')]).to.deep.equal([
        false,
        true,
      ])
    })

    it('check at startup whether the key owns the endpoint', async () => {
      const other = await createOrganisation(service.baseUrl)
      const options = await optionsOf()
      const all: ((options: GatewayOptions) => { ready: Promise<boolean> })[] = [
        ...[createGateway, expressGateway, fastifyGateway, fetchGateway],
      ]
      for (const create of all) {
        const warnings: string[] = []
        const warn = (text: string) => warnings.push(text)
        expect(await create({ ...options, warn }).ready, create.name).to.equal(true)
        expect(warnings).to.deep.equal([])
        expect(await create({ ...options, warn, apiKey: other.apiKey }).ready, create.name).to.equal(false)
        expect(warnings.join()).to.match(/^the check at start failed: NOT_FOUND: .*apiKey own SVCE-/)
      }
    })

    it('warn at startup if the service is not there, and work once it is', async () => {
      const { counterpartyId, ...settings } = await optionsOf()
      const warnings: string[] = []
      const warn = (text: string) => warnings.push(text)
      let isUp = false
      const fetchIt: typeof fetch = (input, init) => {
        return isUp ? fetch(input, init) : Promise.reject(new TypeError('fetch failed'))
      }
      const options = { ...settings, warn, fetch: fetchIt }
      expect(await createGateway({ ...options, counterpartyUrl: 'https://shop.io' }).ready).to.equal(false)
      const { ready, verify } = createGateway({ ...options, counterpartyId })
      expect(await ready).to.equal(false)
      expect(warnings).to.have.lengthOf(2)
      for (const warning of warnings) {
        expect(warning).to.include('the check at start failed').and.include(settings.apiBaseUrl)
      }
      isUp = true
      expect((await verify({ headers: presented('shopping:buy') })).passes).to.equal(true)
    })

    it('skip the check at startup if disableInitChecks is set', async () => {
      const asked: unknown[] = []
      const fetchIt = async (input: unknown) => Response.json(asked.push(input))
      const options = { ...(await optionsOf()), disableInitChecks: true, fetch: fetchIt }
      expect(await createGateway(options).ready).to.equal(true)
      expect(asked).to.deep.equal([])
    })

    it('warn about options that have no effect', () => {
      const warnings: string[] = []
      const counterparty = { counterpartyUrl: 'https://shop.io', disableInitChecks: true }
      const options = { apiBaseUrl: 'https://svc.io/api', apiKey: 'k', ...counterparty, minTrustScore: 40 }
      createGateway({ ...options, warn: (text) => warnings.push(text) })
      expect(warnings.join()).to.include('minTrustScore')
    })
  })

  describe('refuse requests when the service', () => {
    /** Verifies a request with a service that responds as given. */
    async function verifyWith(answer: RequestListener, more: object = {}) {
      const at = await listen(answer)
      const warnings: string[] = []
      const warn = (text: string) => warnings.push(text)
      const settings = { apiKey: 'k', counterpartyUrl: 'https://shop.io', timeoutMs: 300, warn }
      const options = { apiBaseUrl: `${at.url}/api`, ...settings, ...more }
      const outcome = await createGateway(options).verify({ target: '/', headers: { 'x-svc-id': svcId } })
      await at.stop()
      return { outcome, warnings: warnings.join('\n') }
    }
    const statusOf = ({ outcome }: Awaited<ReturnType<typeof verifyWith>>) =>
      outcome.passes ? 'passed' : outcome.refusal.status
    const json =
      (status: number, body: object, headers = {}): RequestListener =>
      (_req, res) => {
        res.writeHead(status, { 'content-type': 'application/json', ...headers })
        res.end(JSON.stringify(body))
      }
    const page: RequestListener = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/html' })
      res.end('<html>')
    }

    it('is too slow', async () => {
      expect(statusOf(await verifyWith(() => undefined))).to.equal(503)
    })

    it('responds with a page, which they warn about, or with an invalid answer', async () => {
      const misled = await verifyWith(page)
      expect(statusOf(misled)).to.equal(503)
      expect(misled.warnings).to.include('web page')
      expect(statusOf(await verifyWith(json(200, { recommendation: 'grant' })))).to.equal(503)
      const access = { allowed: true, accessLevel: 'full', reason: '' }
      const odd = { success: true, recommendation: 'perhaps', access }
      expect(statusOf(await verifyWith(json(200, odd)))).to.equal(403)
    })

    it('limits the rate, and pass on its Retry-After', async () => {
      const { outcome } = await verifyWith(json(429, { code: 'RATE_LIMITED' }, { 'retry-after': '17' }))
      expect(outcome.passes ? null : outcome.refusal.headers['Retry-After']).to.equal('17')
    })

    it('resets the connection', async () => {
      expect(statusOf(await verifyWith((_req, res) => void res.destroy()))).to.equal(503)
    })

    it('is faulty, unless it is unavailable and whenUnavailable is pass', async () => {
      const open = { whenUnavailable: 'pass', timeoutMs: 4_000 }
      const unreachable = await verifyWith((_req, res) => void res.destroy(), open)
      expect(unreachable.outcome.passes && unreachable.outcome.verified).to.deep.equal({
        verified: false,
        accessLevel: 'none',
        recommendation: undefined,
      })
      expect(statusOf(await verifyWith(page, open))).to.equal(503)
      expect(statusOf(await verifyWith(json(401, { code: 'UNAUTHENTICATED' }), open))).to.equal(503)
      const limited = json(429, { code: 'RATE_LIMITED' }, { 'retry-after': '60' })
      expect(statusOf(await verifyWith(limited, open))).to.equal(503)
    })
  })
})
