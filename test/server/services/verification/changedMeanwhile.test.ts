import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { createBotSigner } from '../../../harness/peers/createBotSigner.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

/** More than the changes take that a test makes meanwhile, on a machine however busy. */
const ANSWER_TIMEOUT_MS = 60_000

describe('verify-access during concurrent changes', () => {
  let service: StartedService
  let shop: Organisation
  let whileAsked: () => Promise<unknown>
  let agentServer: Awaited<ReturnType<typeof listen>>
  let clockMs: number | null = null

  before(async () => {
    const clock = () => clockMs ?? Date.now()
    service = await startService({ clock, answerTimeoutMs: ANSWER_TIMEOUT_MS })
    shop = await createOrganisation(service.baseUrl)
    agentServer = await listen(async (req, res) => {
      const { challengeId, counterpartyId } = JSON.parse(Buffer.concat(await req.toArray()).toString())
      await whileAsked()
      res.writeHead(200, { 'content-type': 'application/json' })
      const respondedAt = new Date(clock()).toISOString()
      res.end(
        JSON.stringify({
          ...{ challengeId, acknowledged: true, pendingCounterparties: [counterpartyId], respondedAt },
        }),
      )
    })
  })
  after(async () => {
    await agentServer.stop()
    await service?.stop()
  })

  const verify = async (body: object) =>
    (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })).body
  const demand = async (svceId: string, trustScoreRequirement: number) => {
    const body = { trustScoreRequirement }
    const changed = await api(service.baseUrl, 'PUT', `/api/endpoints/${svceId}`, {
      bearer: shop.apiKey,
      body,
    })
    expect(changed.status).to.equal(200)
    return changed.body.endpoint.id as string
  }

  it('uses the endpoint’s state when the agent has answered its challenge', async () => {
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { svcId: agentId } = await registerAgent(service.baseUrl, { apiEndpoint: agentServer.url })
    whileAsked = async () => undefined
    const ask = { agentId, counterpartyId, enableRuntimeChallenge: true }
    expect((await verify(ask)).recommendation).to.equal('grant')
    whileAsked = () => demand(counterpartyId, 100)
    const { recommendation, access } = await verify(ask)
    expect(recommendation).to.equal('deny')
    expect(access.failures.map(({ dimension }: { dimension: string }) => dimension)).to.include('trust.score')
  })

  it('uses the agent’s state when it has answered its challenge', async () => {
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { svcId: agentId } = await registerAgent(service.baseUrl, { apiEndpoint: agentServer.url })
    whileAsked = () =>
      service.rows('UPDATE agents SET status = ? WHERE svc_id = ? RETURNING id', 'suspended', agentId)
    const { recommendation, agent: shown } = await verify({ agentId, counterpartyId })
    expect([recommendation, shown.agentStatus]).to.deep.equal(['deny', 'suspended'])
  })

  it('uses the time at which the agent has answered its challenge', async () => {
    clockMs = Date.parse('2026-11-25T08:59:59.500Z')
    try {
      const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
      const pdlss = { duration: { allowedHours: { start: 8, end: 9 } } }
      const fields = { apiEndpoint: agentServer.url, pdlss }
      const timestamp = Math.floor(clockMs / 1000)
      const { svcId: agentId } = await registerAgent(service.baseUrl, fields, { timestamp })
      whileAsked = async () => undefined
      const ask = { agentId, counterpartyId, enableRuntimeChallenge: true }
      expect((await verify(ask)).recommendation).to.equal('grant')
      whileAsked = async () => {
        clockMs = Date.parse('2026-11-25T09:00:00.500Z')
      }
      const { access } = await verify(ask)
      expect(access.failures?.[0].dimension).to.equal('pdlss.duration')
    } finally {
      clockMs = null
    }
  })

  it('finds an endpoint by its UUID in capitals, and also invalidates that cache entry', async () => {
    const svceId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { svcId: agentId } = await registerAgent(service.baseUrl)
    const counterpartyId = (await demand(svceId, 0)).toUpperCase()
    expect((await verify({ agentId, counterpartyId })).recommendation).to.equal('grant')
    await demand(svceId, 100)
    expect((await verify({ agentId, counterpartyId })).recommendation).to.equal('deny')
  })
})

describe('verify-access of a signed request without agent', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())

  it('uses the endpoint’s state when the signer’s keys were fetched', async () => {
    const bot = await createBotSigner()
    let whileFetched: () => Promise<unknown> = async () => undefined
    const operator = await listen(async (_req, res) => {
      await whileFetched()
      res.end(JSON.stringify({ keys: [bot.publicJwk] }))
    })
    const file = join(folder.path, 'platforms.json')
    writeFileSync(file, JSON.stringify(platformsOf(operator.url)))
    const service = await startService({
      settings: { PLATFORMS_FILE: file },
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    })
    try {
      const { apiKey: bearer } = await createOrganisation(service.baseUrl)
      const counterpartyUrl = 'https://shop.acme.io/api'
      const fields = { counterpartyUrl, unverifiedAgentPolicy: 'allow_full' }
      const counterpartyId = await registerEndpoint(service.baseUrl, bearer, fields)
      whileFetched = () =>
        api(service.baseUrl, 'PUT', `/api/endpoints/${counterpartyId}`, {
          bearer,
          body: { unverifiedAgentPolicy: 'deny' },
        })
      const agentMember = `"${operator.url}"`
      const signed = await bot.signed({ url: counterpartyUrl, agent: agentMember, created: Date.now() })
      const body = { counterpartyId, callerMetadata: signed }
      const path = '/api/agents/verify-access'
      const answer = await api(service.baseUrl, 'POST', path, { bearer, body })
      expect(answer.body.agent?.evidence).to.equal('signature_verified')
      expect(answer.body).to.include({ recommendation: 'deny' })
    } finally {
      await service.stop()
      await operator.stop()
    }
  })
})

function platformsOf(signatureAgent: string) {
  const signedBot = {
    id: 'signed-bot',
    name: 'Signed bot',
    operator: 'Tester',
    documentation: null,
    tokens: [],
  }
  return { dated: '2026-11-21', robotsOnlyTokens: [], platforms: [{ ...signedBot, signatureAgent }] }
}
