import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Verified } from '@svc/client'
import { gateway as expressGateway } from '@svc/client/express'
import { expect } from 'chai'
import { endpoint, type Organisation, organisation } from '../../builders/world.ts'
import { addressNameServer } from '../../harness/addressNameServer.ts'
import { api } from '../../harness/api.ts'
import { type BotSigner, botSigner } from '../../harness/botSigner.ts'
import { listen } from '../../harness/listen.ts'
import { type StartedService, startService } from '../../harness/startService.ts'
import { temporaryFolder } from '../../harness/temporaryFolder.ts'
import { until } from '../../harness/until.ts'

const PATH = '/api/agents/verify-access'
const LISTED = '20.15.240.70'
const NAMED = '66.249.66.1'

/** The service with platforms of its own, whose operator publishes here: keys, addresses and names. */
describe('verify-access without agent', () => {
  const folder = temporaryFolder()
  let service: StartedService
  let shop: Organisation
  let bot: BotSigner
  let operator: Awaited<ReturnType<typeof listen>>
  let names: Awaited<ReturnType<typeof addressNameServer>>

  before(async () => {
    bot = await botSigner()
    operator = await listen((req, res) => {
      const documents: Record<string, object> = {
        '/.well-known/http-message-signatures-directory': { keys: [bot.publicJwk] },
        '/list.json': { creationTime: '2026-11-20', prefixes: [{ ipv4Prefix: '20.15.240.64/28' }] },
      }
      const document = documents[req.url ?? '']
      res.writeHead(document ? 200 : 404).end(JSON.stringify(document ?? {}))
    })
    names = await addressNameServer({
      'PTR 1.66.249.66.in-addr.arpa': ['crawl-1.bot.example'],
      'A crawl-1.bot.example': [NAMED],
    })
    const file = join(folder.path, 'platforms.json')
    writeFileSync(file, JSON.stringify(platformsOf(operator.url)))
    service = await startService({
      settings: {
        PLATFORMS_FILE: file,
        PLATFORM_LISTS_HOURS: '24',
        PLATFORM_REVERSE_DNS: 'true',
        DNS_SERVERS: names.address,
      },
    })
    shop = await organisation(service.baseUrl)
  })
  after(async () => {
    await service?.stop()
    await operator.stop()
    await names.stop()
    folder.remove()
  })

  const shopAt = (unverifiedAgentPolicy: string, fields: object = {}) =>
    endpoint(service.baseUrl, shop.apiKey, { unverifiedAgentPolicy, ...fields })
  const verify = (counterpartyId: string, callerMetadata?: object, fields: object = {}) =>
    api(service.baseUrl, 'POST', PATH, {
      bearer: shop.apiKey,
      body: { counterpartyId, callerMetadata, ...fields },
    })
  const events = async (eventType: string) =>
    (
      await api(service.baseUrl, 'GET', `/api/activity?limit=100&eventType=${eventType}`, {
        bearer: shop.apiKey,
      })
    ).body.items
  const gradeOf = async (callerMetadata: object) =>
    (await verify(await shopAt('allow_full'), callerMetadata)).body.agent?.evidence

  describe('by the policy of the endpoint', () => {
    const table = {
      deny: ['deny', false, 'none'],
      audit: ['audit', true, 'standard'],
      allow_partial: ['grant', true, 'restricted'],
      allow_full: ['grant', true, 'standard'],
    } as const
    for (const [policy, [recommendation, allowed, accessLevel]] of Object.entries(table)) {
      it(`answers ${policy} as the specification does, and records it`, async () => {
        const svceId = await shopAt(policy)
        const { status, body } = await verify(svceId, { userAgent: 'curl/8', sourceIp: '203.0.113.7' })
        expect(status).to.equal(200)
        expect(body).to.include({ success: true, recommendation })
        expect(body.access).to.include({ allowed, accessLevel })
        expect(body.advisory).to.include({ ial: 'unverified', policy })
        expect(body.correlationId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
        expect(body).to.not.have.any.keys('sessionId', 'agent', 'tokenGuidance')
        expect(body.warningHeader?.name).to.equal(policy === 'audit' ? 'X-Svc-Unverified-Warning' : undefined)
        const [event] = await events(`verification.unverified_${policy}`)
        expect(event).to.include({ agentId: null, callerCategory: 'ungoverned' })
        expect(event.eventData).to.deep.include({
          correlationId: body.correlationId,
          recommendation,
          decision: recommendation,
          caller: { userAgent: 'curl/8', sourceIp: '203.0.113.7' },
        })
      })
    }

    it('points to pages that are there', async () => {
      const { advisory } = (await verify(await shopAt('deny'))).body
      for (const address of [advisory.registrationUrl, advisory.docsUrl]) {
        const { pathname } = new URL(address)
        expect((await fetch(service.baseUrl + pathname)).status, address).to.equal(200)
      }
    })

    it('gives a new correlation id to every request', async () => {
      const svceId = await shopAt('audit')
      const ids = await Promise.all([1, 2, 3].map(async () => (await verify(svceId)).body.correlationId))
      expect(new Set(ids).size).to.equal(3)
    })
  })

  describe('of a recognised platform', () => {
    const claim = { userAgent: 'Mozilla/5.0 (compatible; TestBot/1.0; +https://bot.example)' }

    it('names its provisional agent, beside the correlation id', async () => {
      const { body } = await verify(await shopAt('allow_partial'), claim)
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
      const [event] = await events('verification.unverified_allow_partial')
      expect(event.agentId).to.equal(null)
      expect(event.eventData.platform).to.include({ id: 'test-bot', evidence: 'ua_claim', token: 'TestBot' })
    })

    it('makes one agent of a platform, however many see it first', async () => {
      const svceId = await shopAt('deny')
      const fresh = { userAgent: 'FreshBot/1.0' }
      const answers = await Promise.all(Array.from({ length: 20 }, () => verify(svceId, fresh)))
      const ids = new Set(answers.map(({ body }) => body.agent.svcId))
      expect(ids.size).to.equal(1)
      const [svcId] = ids
      const shown = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`, { bearer: shop.apiKey })
      expect(shown.body.agent).to.include({ svcId, name: 'Fresh bot', agentStatus: 'provisional' })
      expect(shown.body.agent).to.not.have.any.keys('ownerId', 'pdlss')
    })

    it('stores nothing of a dry run, and names the agent that it would have', async () => {
      const svceId = await shopAt('deny')
      const unseen = { userAgent: 'UnseenBot/1.0' }
      const { svcId } = (await verify(svceId, unseen, { dryRun: true })).body.agent
      expect(
        (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`, { bearer: shop.apiKey })).status,
      ).to.equal(404)
      expect((await verify(svceId, unseen)).body.agent.svcId).to.equal(svcId)
    })

    it('lets nobody pass who names that agent', async () => {
      const svceId = await shopAt('allow_full')
      const { svcId } = (await verify(svceId, claim)).body.agent
      const { body } = await verify(svceId, claim, { agentId: svcId, purpose: 'read_data' })
      expect(body.recommendation).to.equal('deny')
      expect(body.access.failures.map((failure: { dimension: string }) => failure.dimension)).to.include(
        'agent.status',
      )
      expect(body.agent.agentStatus).to.equal('provisional')
      expect(body).to.not.have.any.keys('correlationId', 'advisory')
    })

    it('replays to the same decision', async () => {
      const { auditRecordId } = (await verify(await shopAt('audit'), { ...claim, sourceIp: LISTED })).body
      const replay = await api(service.baseUrl, 'POST', `/api/audit/records/${auditRecordId}/replay`, {
        bearer: shop.apiKey,
      })
      expect(replay.status).to.equal(200)
      expect(replay.body).to.include({ reproduced: true, inputsMatch: true })
    })
  })

  describe('on evidence', () => {
    const claim = { userAgent: 'TestBot/1.0' }

    it('of a published address list', async () => {
      await until(async () =>
        (await gradeOf({ ...claim, sourceIp: LISTED })) === 'ip_verified' ? true : null,
      )
      expect(await gradeOf({ ...claim, sourceIp: `::ffff:${LISTED}` })).to.equal('ip_verified')
      expect(await gradeOf({ ...claim, sourceIp: '20.15.240.80' })).to.equal('ua_claim')
      expect(await gradeOf({ userAgent: 'FreshBot/1.0', sourceIp: LISTED })).to.equal('ua_claim')
    })

    it('of a name that leads back, which is not waited for', async () => {
      expect(await gradeOf({ ...claim, sourceIp: NAMED })).to.equal('ua_claim')
      await until(async () =>
        (await gradeOf({ ...claim, sourceIp: NAMED })) === 'fcrdns_verified' ? true : null,
      )
    })

    it('that is none', async () => {
      for (const sourceIp of ['', 'unknown', '10.0.0.1', 'fe80::1%eth0', undefined]) {
        expect(await gradeOf({ ...claim, sourceIp })).to.equal('ua_claim')
      }
      expect(await gradeOf({ sourceIp: LISTED })).to.equal(undefined)
    })

    describe('of a signature', () => {
      const url = 'https://signed.acme.io/orders/1'
      const signed = (
        by = bot,
        target = url,
        components?: Parameters<BotSigner['signed']>[0]['components'],
      ) =>
        by.signed({
          url: target,
          agent: `"${operator.url}"`,
          label: 'sig1',
          created: Date.now() - 1000,
          ...(components ? { components } : {}),
        })
      let signedShop: string
      before(async () => {
        signedShop = await shopAt('allow_full', { counterpartyUrl: 'https://signed.acme.io' })
      })
      const browser = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/138.0.0.0 Safari/537.36' }

      it('names the platform though it looks like a browser', async () => {
        const facts = await signed()
        const { body } = await verify(signedShop, { ...browser, ...facts })
        expect(body.agent).to.include({ platform: 'signed-bot', evidence: 'signature_verified' })
        expect(body.access).to.include({ accessLevel: 'standard' })
        const [event] = await events('verification.unverified_allow_full')
        expect(event.eventData.signature).to.deep.equal({ outcome: 'verified', origin: operator.url })
        expect(JSON.stringify(event)).to.not.contain(facts.signature)
      })

      it('is passed on by the gateway', async () => {
        const gateway = expressGateway<IncomingMessage & Partial<Verified>>({
          apiBaseUrl: `${service.baseUrl}/api`,
          apiKey: shop.apiKey,
          counterpartyId: signedShop,
        })
        const site = await listen((req: IncomingMessage & Partial<Verified>, res) => {
          void gateway(req, res, () => res.end(JSON.stringify({ agent: req.agent, verified: req.verified })))
        })
        const agentMember = { name: 'signature-agent', parameters: new Map([['key', 'sig1']]) }
        const facts = await signed(bot, url, ['@authority', '@method', '@path', agentMember])
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

      it('that was used before, or is another’s, is none', async () => {
        const facts = { ...browser, ...(await signed()) }
        await verify(signedShop, facts)
        expect((await verify(signedShop, facts)).body).to.not.have.property('agent')
        const forged = { ...browser, ...(await signed(await botSigner())) }
        expect((await verify(signedShop, forged)).body).to.not.have.property('agent')
        const [event] = await events('verification.unverified_allow_full')
        expect(event.eventData.signature).to.deep.equal({ outcome: 'invalid', reason: 'key_unknown' })
      })

      it('for another site is none, and leaves the claim', async () => {
        const facts = await signed(bot, 'https://other.acme.io/')
        const { body } = await verify(signedShop, { ...claim, ...facts })
        expect(body.agent).to.include({ platform: 'test-bot', evidence: 'ua_claim' })
      })

      it('is not kept in the inputs of the record, nor is anything of the caller', async () => {
        const facts = await signed()
        const { auditRecordId } = (await verify(signedShop, { ...browser, ...facts, sourceIp: LISTED })).body
        const [kept = { inputs: '', events: '' }] = await service.rows<{ inputs: string; events: string }>(
          'SELECT inputs, event_data AS events FROM audit_records WHERE record_id = ?',
          auditRecordId,
        )
        expect(kept.inputs).to.contain('signature_verified').and.not.contain(LISTED).and.not.contain('Chrome')
        expect(kept.inputs + kept.events).to.not.contain(facts.signature)
      })
    })
  })
})

function platformsOf(operatorUrl: string) {
  const platform = { operator: 'Tester', documentation: null }
  return {
    dated: '2026-11-21',
    robotsOnlyTokens: [],
    platforms: [
      {
        ...platform,
        id: 'test-bot',
        name: 'Test bots',
        tokens: [{ token: 'TestBot', ipLists: [`${operatorUrl}/list.json`] }],
        reverseDns: ['*.bot.example'],
      },
      { ...platform, id: 'fresh-bot', name: 'Fresh bot', tokens: [{ token: 'FreshBot' }] },
      { ...platform, id: 'unseen-bot', name: 'Unseen bot', tokens: [{ token: 'UnseenBot' }] },
      { ...platform, id: 'signed-bot', name: 'Signed bot', tokens: [], signatureAgent: operatorUrl },
    ],
  }
}
