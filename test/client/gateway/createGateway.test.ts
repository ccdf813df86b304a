import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createPresenter } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { expect } from 'chai'
import express from 'express'
import { createOrganisation, registerAgent, registerEndpoint } from '../../builders/participants.ts'
import { listen } from '../../harness/peers/listen.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { api } from '../../harness/service/api.ts'
import { openOwnerScene } from '../../server/services/approvals/openOwnerScene.ts'
import { bodyOf, type GatedShops, MANDATE, openGatedShops, type Seen } from './openGatedShops.ts'

describe('the gateway for Express', () => {
  let scene: GatedShops

  before(async () => {
    scene = await openGatedShops()
  })

  after(() => scene.service.stop())

  describe('a registered agent', () => {
    it('passes with the members that the specification adds to the request', async () => {
      const at = await scene.openShop()
      const response = await scene.presenter().fetch(`${at.url}/orders/1?x=1`)
      const seen = await bodyOf(response)
      await at.stop()
      expect(response.status).to.equal(200)
      expect(seen).to.deep.include({ verified: true, accessLevel: 'standard', recommendation: 'grant' })
      expect(seen.agent).to.include({ svcId: scene.svcId, agentStatus: 'active' })
      expect(seen.verification.sessionId).to.be.a('string')
      expect(seen).not.to.have.any.keys('advisory', 'pdlss')
    })

    it('is refused outside its mandate, and learns the failed dimension but nothing else about the mandate', async () => {
      const at = await scene.openShop()
      const response = await scene.presenter({ purpose: 'write_data:delete' }).fetch(at.url)
      const refused = await bodyOf(response)
      await at.stop()
      expect(response.status).to.equal(403)
      expect(refused).to.include({ success: false, code: 'access_denied', recommendation: 'deny' })
      expect(refused.failures[0].dimension).to.equal('pdlss.purpose')
      expect(JSON.stringify(refused)).not.to.include('shopping')
    })

    it('is judged by the path when the application names no resource', async () => {
      const bound = await registerAgent(scene.service.baseUrl, {
        pdlss: { scope: { resources: ['/orders/**'] } },
      })
      const at = await scene.openShop(
        {},
        { describeRequest: () => ({ resource: undefined, agentId: undefined, purpose: undefined }) },
      )
      const ask = (path: string) => scene.presenter({ svcId: bound.svcId }).fetch(at.url + path)
      const statuses = [(await ask('/orders/1')).status, (await ask('/admin')).status]
      await at.stop()
      expect(statuses).to.deep.equal([200, 403])
    })

    it('is held until its owner approves, also when it sends the same attempt again', async () => {
      const at = await scene.openShop(
        {},
        { describeRequest: () => ({ transactionValue: 200, currency: 'EUR' }) },
      )
      const response = await scene.presenter().fetch(at.url)
      const held = await bodyOf(response)
      const { attemptId, approvalId, pollUrl } = held.stepUpApproval
      const resent = await bodyOf(await scene.presenter().fetch(at.url, {}, { attemptId }))
      await at.stop()
      expect(response.status).to.equal(202)
      expect(response.headers.get('retry-after')).to.match(/^\d+$/)
      expect(held).to.include({ code: 'step_up_required', recommendation: 'step_up_required' })
      expect(pollUrl).to.equal(`/api/step-up-approvals/poll/${approvalId}`)
      expect(resent.stepUpApproval.approvalId).to.equal(approvalId)
    })
  })

  describe('a caller without identity', () => {
    it('is refused by default, with a link to register', async () => {
      const at = await scene.openShop()
      const response = await fetch(at.url)
      const refused = await bodyOf(response)
      await at.stop()
      expect(response.status).to.equal(403)
      expect(refused.advisory.registrationUrl).to.match(/\/agents\/register$/)
    })

    it('passes under audit, with the warning header on the response', async () => {
      const at = await scene.openShop({ unverifiedAgentPolicy: 'audit' })
      const response = await fetch(at.url)
      const seen = await bodyOf(response)
      await at.stop()
      expect(response.status).to.equal(200)
      expect(response.headers.get('x-svc-unverified-warning')).to.be.a('string')
      expect(seen).to.deep.include({ verified: false, accessLevel: 'standard', recommendation: 'audit' })
      expect(seen.verification.correlationId).to.be.a('string')
    })
  })

  describe('routes', () => {
    const routes = [{ pattern: '/admin/**', minAccessLevel: 'full' }]

    it('are read from the service by the endpoint’s id', async () => {
      const at = await scene.openShop({ routes, unverifiedAgentPolicy: 'allow_full' })
      const statuses = [await fetch(`${at.url}/admin/users`), await fetch(`${at.url}/orders`)].map(
        ({ status }) => status,
      )
      await at.stop()
      expect(statuses).to.deep.equal([403, 200])
    })

    it('are replaced by those of the configuration', async () => {
      const at = await scene.openShop({ routes, unverifiedAgentPolicy: 'allow_full' }, { routes: [] })
      const { status } = await fetch(`${at.url}/admin/users`)
      await at.stop()
      expect(status).to.equal(200)
    })
  })

  describe('pass-through headers', () => {
    const forged = { headers: { 'x-svc-access-level': 'internal', 'x-svc-recommendation': 'grant' } }

    it('contain the decision if the option is set', async () => {
      const at = await scene.openShop(
        { unverifiedAgentPolicy: 'allow_partial' },
        { setPassThroughHeader: true },
      )
      const { headers } = await bodyOf(await fetch(at.url, forged))
      await at.stop()
      expect(headers).to.include({ 'x-svc-access-level': 'restricted', 'x-svc-recommendation': 'grant' })
    })

    it('are never the caller’s own', async () => {
      const at = await scene.openShop({ unverifiedAgentPolicy: 'allow_partial' })
      const { headers } = await bodyOf(await fetch(at.url, forged))
      await at.stop()
      expect(headers).not.to.have.any.keys('x-svc-access-level', 'x-svc-recommendation')
    })
  })

  describe('without a decision', () => {
    it('passes on headers that a proxy behind it can send, if requests may pass', async () => {
      const open = {
        counterpartyUrl: 'https://shop.io',
        apiBaseUrl: 'http://127.0.0.1:9/api',
        whenUnavailable: 'pass',
        setPassThroughHeader: true,
      } as const
      const behind = await listen((req: Seen, res: ServerResponse) => {
        void expressGateway<Seen>({ ...open, apiKey: 'k', warn: () => undefined })(req, res, () => {
          res.end(JSON.stringify(Object.entries(req.headers).map(([name, value]) => [name, typeof value])))
        })
      })
      const types = Object.fromEntries(await bodyOf(await fetch(behind.url)))
      await behind.stop()
      expect(types)
        .to.include({ 'x-svc-access-level': 'string' })
        .and.not.have.property('x-svc-recommendation')
      expect(Object.values(types)).to.not.include('undefined')
    })

    it('denies an agent whose challenge URL does not respond, before its own time limit', async () => {
      const silent = await listen(() => undefined)
      const quiet = await registerAgent(scene.service.baseUrl, { pdlss: MANDATE, apiEndpoint: silent.url })
      const at = await scene.openShop()
      const response = await createPresenter({ svcId: quiet.svcId, verifyUrl: 'https://svc.test' }).fetch(
        at.url,
      )
      await at.stop()
      await silent.stop()
      expect([response.status, (await bodyOf(response)).code]).to.deep.equal([403, 'access_denied'])
    })

    it('refuses with 503 without the cause, and warns the operator', async () => {
      const at = await scene.openShop({}, { apiBaseUrl: 'http://127.0.0.1:9/api' })
      const response = await fetch(at.url)
      const refused = await response.text()
      await at.stop()
      expect(response.status).to.equal(503)
      expect(response.headers.get('retry-after')).to.match(/^\d+$/)
      expect(refused).to.include('verification_unavailable').and.not.include('127.0.0.1')
      expect(at.warnings.join()).to.include('NETWORK_ERROR').and.include('http://127.0.0.1:9/api')
    })

    it('refuses when the key does not own the endpoint, and gives the operator a hint', async () => {
      const other = await createOrganisation(scene.service.baseUrl)
      const at = await scene.openShop({ unverifiedAgentPolicy: 'allow_full' }, { apiKey: other.apiKey })
      const { status } = await fetch(at.url)
      await at.stop()
      expect(status).to.equal(503)
      expect(at.warnings.join()).to.match(
        new RegExp(`NOT_FOUND: .*apiKey own ${at.counterpartyId}.*\\(request `),
      )
    })

    it('refuses when the key is invalid, and gives the operator a hint', async () => {
      const at = await scene.openShop({ unverifiedAgentPolicy: 'allow_full' }, { apiKey: 'none' })
      const { status } = await fetch(at.url)
      await at.stop()
      expect(status).to.equal(503)
      expect(at.warnings.join()).to.match(/UNAUTHENTICATED: .*Is apiKey correct\?/)
    })

    it('does not blame the caller when the host names a counterparty that cannot be', async () => {
      const at = await scene.openShop(
        {},
        { counterpartyId: undefined, counterpartyUrl: 'https://me@shop.io' },
      )
      const response = await fetch(at.url)
      const refused = await response.text()
      await at.stop()
      expect(response.status).to.equal(503)
      expect(refused).not.to.include('counterparty')
      expect(at.warnings.join()).to.include('VALIDATION_ERROR')
    })

    it('blames the caller for invalid headers', async () => {
      const at = await scene.openShop()
      const response = await fetch(at.url, { headers: { 'x-svc-id': 'x'.repeat(3000) } })
      const refused = await bodyOf(response)
      await at.stop()
      expect(response.status).to.equal(400)
      expect(refused.errors[0].pointer).to.equal('/agentId')
    })
  })

  it('is Express middleware that also works below a router', async () => {
    const counterpartyId = await registerEndpoint(scene.service.baseUrl, scene.shop.apiKey, {
      unverifiedAgentPolicy: 'allow_full',
    })
    const app = express()
    const routes = [{ pattern: '/api/secret', minAccessLevel: 'internal' as const }]
    const config = {
      apiBaseUrl: `${scene.service.baseUrl}/api`,
      apiKey: scene.shop.apiKey,
      counterpartyId,
      routes,
    }
    app.use('/api', expressGateway(config))
    app.get('/api/:name', (req, res) => {
      res.json({ level: (req as Seen).accessLevel })
    })
    const server = await listen(app)
    expect(await bodyOf(await fetch(`${server.url}/api/open`))).to.deep.equal({ level: 'standard' })
    expect((await fetch(`${server.url}/api/secret`)).status).to.equal(403)
    await server.stop()
  })

  it('leaves its traffic in the endpoint’s activity', async () => {
    const at = await scene.openShop()
    await scene.presenter().fetch(`${at.url}/orders/${randomUUID()}`)
    await fetch(`${at.url}/orders/${randomUUID()}`)
    await at.stop()
    const { body } = await api(scene.service.baseUrl, 'GET', `/api/activity?endpoint=${at.counterpartyId}`, {
      bearer: scene.shop.apiKey,
    })
    const [anonymous, verified] = body.items.filter((item: { eventType: string }) =>
      item.eventType.startsWith('verification.'),
    )
    expect(verified).to.include({ eventType: 'verification.completed', agentId: scene.svcId })
    expect(verified.eventData).to.not.have.property('caller')
    expect(anonymous.eventData.caller.userAgent).to.be.a('string')
  })
})

describe('the gateway that holds requests', () => {
  it('passes a held request once the owner approves, and refuses it once the owner denies', async () => {
    const scene = await openOwnerScene()
    try {
      const owner = await scene.owner()
      const svcId = await owner.agent()
      const guard = expressGateway({
        apiBaseUrl: `${scene.baseUrl}/api`,
        apiKey: scene.shop.apiKey,
        counterpartyId: scene.svceId,
        holdStepUpMs: 20_000,
        describeRequest: () => ({ transactionValue: 150, currency: 'USD' }),
      })
      const at = await listen((req: Seen, res: ServerResponse) => {
        void guard(req, res, () => res.end('bought'))
      })
      const buyer = createPresenter({ svcId, verifyUrl: 'https://svc.test', purpose: 'shopping:buy' })
      const statusAfter = async (decide: (approvalId: string) => Promise<{ status: number }>) => {
        const answer = buyer.fetch(`${at.url}/orders/1`)
        const approvalId = await waitUntil<string>(async () => {
          const { items } = (await owner.call('GET', '/api/step-up-approvals?status=pending')).body
          return items[0]?.approvalId ?? null
        })
        expect((await decide(approvalId)).status).to.equal(200)
        return (await answer).status
      }
      expect(await statusAfter(owner.approve)).to.equal(200)
      expect(await statusAfter(owner.deny)).to.equal(403)
      await at.stop()
    } finally {
      await scene.service.stop()
    }
  }).timeout(240_000)
})
