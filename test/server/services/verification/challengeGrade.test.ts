import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { registerEndpoint } from '../../../builders/participants.ts'
import { signAsAgent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOST = 'challenges.acme.io'
/** What the owner is asked about. */
const HELD = { resource: '/orders/1', jurisdiction: 'de', transactionValue: 150, currency: 'USD' }

describe('the grade challenge', () => {
  let scene: OwnerScene
  let ada: Owner
  let site: Awaited<ReturnType<typeof listen>>
  /** An endpoint that requires a challenge, and one that requires nothing. */
  let strict: string
  let open: string
  /** Counterparties with which the agent’s server says that it has business, and those that it was asked about. */
  const pending = new Set<string>()
  let challenged: string[] = []

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    site = await listen(async (req, res) => {
      const { challengeId, counterpartyId } = JSON.parse(await text(req))
      challenged.push(counterpartyId)
      const respondedAt = new Date(scene.time.now).toISOString()
      res.setHeader('content-type', 'application/json')
      const answer = { challengeId, acknowledged: true, pendingCounterparties: [...pending], respondedAt }
      res.end(JSON.stringify(answer))
    })
    const { apiKey } = scene.shop
    const asking = { counterpartyUrl: `https://${HOST}/strict`, minIdentityProof: 'challenge' }
    strict = await registerEndpoint(scene.baseUrl, apiKey, asking)
    open = await registerEndpoint(scene.baseUrl, apiKey, { counterpartyUrl: `https://${HOST}/open` })
  })
  beforeEach(() => {
    pending.clear()
    challenged = []
    // Each test has the whole budget of challenges.
    scene.time.now += 60_000
  })
  after(async () => {
    await scene?.service.stop()
    await site?.stop()
  })

  const openAgent = () => ada.agent({ apiEndpoint: site.url, pdlss: {} })
  const verify = async (agentId: string, counterpartyId: string, fields: object = {}) =>
    (await scene.verifyUnproven({ agentId, counterpartyId, purpose: 'shopping:buy', ...fields })).body
  const seen = ({ recommendation, identityProof, access }: Awaited<ReturnType<typeof verify>>) => [
    ...[recommendation, identityProof],
    ...(access.failures ?? []).map(({ dimension }: { dimension: string }) => dimension),
  ]

  it('is shown by each request that the agent’s server confirms, because the service asks by itself', async () => {
    const agentId = await openAgent()
    pending.add(strict)
    for (let nth = 0; nth < 2; nth += 1) {
      const answer = await verify(agentId, strict)
      expect(seen(answer)).to.deep.equal(['grant', 'challenge'])
      expect(answer.runtimeChallenge.passed).to.equal(true)
      const { items } = (await scene.call('GET', '/api/activity?limit=1', { bearer: scene.shop.apiKey })).body
      expect(items[0].eventData).to.include({ identityProof: 'challenge' })
    }
    expect(challenged).to.deep.equal([strict, strict])
  })

  it('is not shown by a request that the agent’s server does not confirm', async () => {
    const agentId = await openAgent()
    pending.add(open)
    const answer = await verify(agentId, strict)
    expect(seen(answer)).to.deep.equal(['deny', 'none', 'runtime.challenge', 'agent.proof'])
    expect(answer.runtimeChallenge.passed).to.equal(false)
    expect(challenged).to.deep.equal([strict])
  })

  it('is required by an agent’s owner as well', async () => {
    const agentId = await openAgent()
    await scene.service.rows(`UPDATE agents SET min_identity_proof = 'challenge' WHERE svc_id = ?`, agentId)
    expect(seen(await verify(agentId, open))).to.deep.equal([
      ...['deny', 'none', 'runtime.challenge', 'agent.proof'],
    ])
    pending.add(open)
    expect(seen(await verify(agentId, open))).to.deep.equal(['grant', 'challenge'])
  })

  it('proves nothing later, and nothing elsewhere', async () => {
    const agentId = await openAgent()
    for (const counterpartyId of [strict, open]) pending.add(counterpartyId)
    expect(seen(await verify(agentId, open))).to.deep.equal(['grant', 'challenge'])
    pending.clear()
    // It passed, so nobody asks again where nothing is required.
    expect(seen(await verify(agentId, open))).to.deep.equal(['grant', 'none'])
    expect(challenged).to.deep.equal([open])
    expect(seen(await verify(agentId, strict))).to.deep.equal([
      ...['deny', 'none', 'runtime.challenge', 'agent.proof'],
    ])
    expect(challenged).to.deep.equal([open, strict])
  })

  it('is not asked for where more is presented, or where it would not suffice', async () => {
    const agentId = await openAgent()
    const key = createAgentKey()
    await storeAgentKey(scene.service, agentId, key)
    await scene.service.rows(`UPDATE agents SET min_identity_proof = 'none' WHERE svc_id = ?`, agentId)
    pending.add(open)
    expect(seen(await verify(agentId, open))).to.deep.equal(['grant', 'challenge'])
    const created = Math.floor(scene.time.now / 1000)
    const callerMetadata = signAsAgent(key, { svcId: agentId, url: `https://${HOST}/strict`, created })
    expect(seen(await verify(agentId, strict, { callerMetadata }))).to.deep.equal(['grant', 'signature'])
    const asking = { counterpartyUrl: `https://${HOST}/token`, minIdentityProof: 'token' }
    const stricter = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, asking)
    expect(seen(await verify(agentId, stricter))).to.deep.equal(['deny', 'none', 'agent.proof'])
    expect(challenged).to.deep.equal([open])
  })

  it('is asked for again when a request is repeated that was held with it', async () => {
    const agentId = await ada.agent({ apiEndpoint: site.url })
    pending.add(open)
    const asked = { ...HELD, attemptId: randomUUID() }
    const held = await verify(agentId, open, asked)
    expect(seen(held).slice(0, 2)).to.deep.equal(['step_up_required', 'challenge'])
    await ada.approve(held.stepUpApproval.approvalId)
    pending.clear()
    expect(seen(await verify(agentId, open, asked)).slice(0, 3)).to.deep.equal([
      ...['deny', 'none', 'runtime.challenge'],
    ])
    pending.add(open)
    expect(seen(await verify(agentId, open, asked))).to.deep.equal(['grant', 'challenge'])
    expect(challenged).to.deep.equal([open, open, open])
  })

  it('is asked for again after the owner denied, so that the agent learns of the denial', async () => {
    const agentId = await ada.agent({ apiEndpoint: site.url })
    pending.add(open)
    const asked = { ...HELD, attemptId: randomUUID() }
    const held = await verify(agentId, open, asked)
    await ada.deny(held.stepUpApproval.approvalId)
    const denied = seen(await verify(agentId, open, asked))
    expect(denied).to.deep.equal(['deny', 'challenge', 'commerce.intent.approval_required'])
    expect(challenged).to.deep.equal([open, open])
  })

  it('cannot be shown by an agent without a server', async () => {
    const agentId = await ada.agent({ pdlss: {} })
    expect(seen(await verify(agentId, strict))).to.deep.equal(['deny', 'none', 'agent.proof'])
    expect(challenged).to.deep.equal([])
  })
})
