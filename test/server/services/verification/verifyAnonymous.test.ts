import type { IncomingMessage } from 'node:http'
import type { Verified } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { HARD_DIMENSIONS } from '@svc/core/access/findings.ts'
import { expect } from 'chai'
import { type BotSigner, createBotSigner } from '../../../harness/peers/createBotSigner.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { buildDocs } from '../../../harness/runner/buildDocs.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { LISTED, NAMED, openPlatforms, type PlatformScene } from './openPlatforms.ts'

describe('verify-access without agent', () => {
  let scene: PlatformScene

  before(async function () {
    this.timeout(300_000)
    await buildDocs()
    scene = await openPlatforms()
  })
  after(() => scene.close())

  describe('with the policy of the endpoint', () => {
    const table = {
      deny: ['deny', false, 'none'],
      audit: ['audit', true, 'standard'],
      allow_partial: ['grant', true, 'restricted'],
      allow_full: ['grant', true, 'standard'],
    } as const
    for (const [policy, [recommendation, allowed, accessLevel]] of Object.entries(table)) {
      it(`applies ${policy} as specified, and records it`, async () => {
        const svceId = await scene.shopAt(policy)
        const { status, body } = await scene.verify(svceId, { userAgent: 'curl/8', sourceIp: '203.0.113.7' })
        expect(status).to.equal(200)
        expect(body).to.include({ success: true, recommendation })
        expect(body.access).to.include({ allowed, accessLevel })
        expect(body.advisory).to.include({ ial: 'unverified', policy })
        expect(body.correlationId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
        expect(body).to.not.have.any.keys('sessionId', 'agent', 'tokenGuidance')
        expect(body.warningHeader?.name).to.equal(policy === 'audit' ? 'X-Svc-Unverified-Warning' : undefined)
        const [event] = await scene.events(`verification.unverified_${policy}`)
        expect(event).to.include({ agentId: null, callerCategory: 'ungoverned' })
        expect(event.eventData).to.deep.include({
          correlationId: body.correlationId,
          recommendation,
          decision: recommendation,
          caller: { userAgent: 'curl/8', sourceIp: '203.0.113.7' },
        })
      })
    }

    it('links to pages that exist, and to the paragraph about the failure', async () => {
      const { advisory } = (await scene.verify(await scene.shopAt('deny'))).body
      for (const address of [advisory.registrationUrl, advisory.docsUrl]) {
        const { pathname } = new URL(address)
        expect((await fetch(scene.service.baseUrl + pathname)).status, address).to.equal(200)
      }
      const { pathname, hash } = new URL(advisory.docsUrl)
      expect(`${pathname}${hash}`).to.equal('/docs/denials#agentidentity')
      const page = await (await fetch(scene.service.baseUrl + pathname)).text()
      const headings = [...page.matchAll(/<h3 id="([^"]+)"/g)].map(([, id]) => id)
      expect(headings).to.include.members(
        HARD_DIMENSIONS.map((dimension) => dimension.replaceAll('.', '').toLowerCase()),
      )
    })

    it('returns a new correlation id for every request', async () => {
      const svceId = await scene.shopAt('audit')
      const ids = await Promise.all(
        [1, 2, 3].map(async () => (await scene.verify(svceId)).body.correlationId),
      )
      expect(new Set(ids).size).to.equal(3)
    })
  })

  describe('of a recognised platform', () => {
    const claim = { userAgent: 'Mozilla/5.0 (compatible; TestBot/1.0; +https://bot.example)' }

    it('names its provisional agent in addition to the correlation id', async () => {
      const { body } = await scene.verify(await scene.shopAt('allow_partial'), claim)
      expect(body.agent).to.deep.include({
        name: 'Test bots',
        agentStatus: 'provisional',
        ial: 1,
        evidence: 'ua_claim',
        platform: 'test-bot',
        operator: 'Tester',
      })
      expect(body.agent.svcId).to.match(/^SVC-[0-9A-Za-z]{22}$/)
      expect(body.correlationId).to.be.a('string')
      expect(body).to.not.have.property('sessionId')
      expect(body.access).to.include({ accessLevel: 'restricted' })
      const [event] = await scene.events('verification.unverified_allow_partial')
      expect(event.agentId).to.equal(null)
      expect(event.eventData.platform).to.include({ id: 'test-bot', evidence: 'ua_claim', token: 'TestBot' })
    })

    it('creates one agent per platform, however many processes see it first', async () => {
      const svceId = await scene.shopAt('deny')
      const fresh = { userAgent: 'FreshBot/1.0' }
      const answers = await Promise.all(Array.from({ length: 20 }, () => scene.verify(svceId, fresh)))
      const ids = new Set(answers.map(({ body }) => body.agent.svcId))
      expect(ids.size).to.equal(1)
      const [svcId] = ids
      const shown = await api(scene.service.baseUrl, 'GET', `/api/agents/${svcId}`, {
        bearer: scene.shop.apiKey,
      })
      expect(shown.body.agent).to.include({ svcId, name: 'Fresh bot', agentStatus: 'provisional' })
      expect(shown.body.agent).to.not.have.any.keys('ownerId', 'pdlss')
    })

    it('stores nothing in a dry run, and names the agent that it would have', async () => {
      const svceId = await scene.shopAt('deny')
      const unseen = { userAgent: 'UnseenBot/1.0' }
      const { svcId } = (await scene.verify(svceId, unseen, { dryRun: true })).body.agent
      expect(
        (await api(scene.service.baseUrl, 'GET', `/api/agents/${svcId}`, { bearer: scene.shop.apiKey }))
          .status,
      ).to.equal(404)
      expect((await scene.verify(svceId, unseen)).body.agent.svcId).to.equal(svcId)
    })

    it('does not admit a request that names that agent', async () => {
      const svceId = await scene.shopAt('allow_full')
      const { svcId } = (await scene.verify(svceId, claim)).body.agent
      const { body } = await scene.verify(svceId, claim, { agentId: svcId, purpose: 'read_data' })
      expect(body.recommendation).to.equal('deny')
      expect(body.access.failures.map((failure: { dimension: string }) => failure.dimension)).to.include(
        'agent.status',
      )
      expect(body.agent.agentStatus).to.equal('provisional')
      expect(body).to.not.have.any.keys('correlationId', 'advisory')
    })

    it('replays to the same decision', async () => {
      const { auditRecordId } = (
        await scene.verify(await scene.shopAt('audit'), { ...claim, sourceIp: LISTED })
      ).body
      const replay = await api(scene.service.baseUrl, 'POST', `/api/audit/records/${auditRecordId}/replay`, {
        bearer: scene.shop.apiKey,
      })
      expect(replay.status).to.equal(200)
      expect(replay.body).to.include({ reproduced: true, inputsMatch: true })
    })
  })

  describe('with evidence', () => {
    const claim = { userAgent: 'TestBot/1.0' }

    it('from a published address list', async () => {
      await waitUntil(async () =>
        (await scene.gradeOf({ ...claim, sourceIp: LISTED })) === 'ip_verified' ? true : null,
      )
      expect(await scene.gradeOf({ ...claim, sourceIp: `::ffff:${LISTED}` })).to.equal('ip_verified')
      expect(await scene.gradeOf({ ...claim, sourceIp: '20.15.240.80' })).to.equal('ua_claim')
      expect(await scene.gradeOf({ userAgent: 'FreshBot/1.0', sourceIp: LISTED })).to.equal('ua_claim')
    })

    it('from a confirmed reverse DNS name, without waiting for the lookup', async () => {
      expect(await scene.gradeOf({ ...claim, sourceIp: NAMED })).to.equal('ua_claim')
      await waitUntil(async () =>
        (await scene.gradeOf({ ...claim, sourceIp: NAMED })) === 'fcrdns_verified' ? true : null,
      )
    })

    it('that is not sufficient', async () => {
      for (const sourceIp of ['', 'unknown', '10.0.0.1', 'fe80::1%eth0', undefined]) {
        expect(await scene.gradeOf({ ...claim, sourceIp })).to.equal('ua_claim')
      }
      expect(await scene.gradeOf({ sourceIp: LISTED })).to.equal(undefined)
    })

    describe('with a signature', () => {
      const url = 'https://signed.acme.io/orders/1'
      const signed = (
        by = scene.bot,
        target = url,
        components?: Parameters<BotSigner['signed']>[0]['components'],
      ) =>
        by.signed({
          url: target,
          agent: `"${scene.operator.url}"`,
          label: 'sig1',
          created: Date.now() - 1000,
          ...(components ? { components } : {}),
        })
      let signedShop: string
      before(async () => {
        signedShop = await scene.shopAt('allow_full', { counterpartyUrl: 'https://signed.acme.io' })
      })
      const browser = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/138.0.0.0 Safari/537.36' }

      it('names the platform although the request looks like a browser', async () => {
        const facts = await signed()
        const { body } = await scene.verify(signedShop, { ...browser, ...facts })
        expect(body.agent).to.include({ platform: 'signed-bot', evidence: 'signature_verified' })
        expect(body.access).to.include({ accessLevel: 'standard' })
        const [event] = await scene.events('verification.unverified_allow_full')
        expect(event.eventData.signature).to.deep.equal({ outcome: 'verified', origin: scene.operator.url })
        expect(JSON.stringify(event)).to.not.contain(facts.signature)
      })

      it('is passed on by the gateway', async () => {
        const gateway = expressGateway<IncomingMessage & Partial<Verified>>({
          apiBaseUrl: `${scene.service.baseUrl}/api`,
          apiKey: scene.shop.apiKey,
          counterpartyId: signedShop,
        })
        const site = await listen((req: IncomingMessage & Partial<Verified>, res) => {
          void gateway(req, res, () => res.end(JSON.stringify({ agent: req.agent, verified: req.verified })))
        })
        const agentMember = { name: 'signature-agent', parameters: new Map([['key', 'sig1']]) }
        const facts = await signed(scene.bot, url, ['@authority', '@method', '@path', agentMember])
        const response = await fetch(`${site.url}${new URL(url).pathname}`, {
          headers: {
            signature: facts.signature,
            'signature-input': facts.signatureInput,
            'signature-agent': facts.signatureAgent,
          },
        })
        const seen = await response.json()
        await site.stop()
        expect(seen.verified).to.equal(false)
        expect(seen.agent).to.include({ platform: 'signed-bot', evidence: 'signature_verified' })
      })

      it('that was used before, or belongs to another, is ignored', async () => {
        const facts = { ...browser, ...(await signed()) }
        await scene.verify(signedShop, facts)
        expect((await scene.verify(signedShop, facts)).body).to.not.have.property('agent')
        const forged = { ...browser, ...(await signed(await createBotSigner())) }
        expect((await scene.verify(signedShop, forged)).body).to.not.have.property('agent')
        const [event] = await scene.events('verification.unverified_allow_full')
        expect(event.eventData.signature).to.deep.equal({ outcome: 'invalid', reason: 'key_unknown' })
      })

      it('for another site is ignored, and the platform stays a claim', async () => {
        const facts = await signed(scene.bot, 'https://other.acme.io/')
        const { body } = await scene.verify(signedShop, { ...claim, ...facts })
        expect(body.agent).to.include({ platform: 'test-bot', evidence: 'ua_claim' })
      })

      it('is not stored in the inputs of the record, and neither is anything about the caller', async () => {
        const facts = await signed()
        const { auditRecordId } = (await scene.verify(signedShop, { ...browser, ...facts, sourceIp: LISTED }))
          .body
        const [kept = { inputs: '', events: '' }] = await scene.service.rows<{
          inputs: string
          events: string
        }>('SELECT inputs, event_data AS events FROM audit_records WHERE record_id = ?', auditRecordId)
        expect(kept.inputs).to.contain('signature_verified').and.not.contain(LISTED).and.not.contain('Chrome')
        expect(kept.inputs + kept.events).to.not.contain(facts.signature)
      })
    })
  })
})
