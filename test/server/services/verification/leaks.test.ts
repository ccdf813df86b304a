import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { faultMode } from '../../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { openEventStream } from '../../../harness/service/openEventStream.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'
import { openReceiver } from '../webhooks/openWebhooks.ts'

/**
 * A boundary and rules with distinctive values, by which a leak is detected. No request of these tests sends any of them.
 */
const PDLSS = {
  purpose: {
    categories: ['shopping', 'canarycategory'],
    allowedActions: ['buy', 'canaryaction'],
    deniedActions: ['canarydenied'],
  },
  duration: { maxSessionDuration: 7_777_771, ttl: 7_777_772, timezone: 'Asia/Kathmandu' },
  limits: {
    autonomousThreshold: 100.2512,
    stepUpThreshold: 200.7534,
    approvalThreshold: 500.5056,
    maxTransactionsPerHour: 888_881,
    currency: 'USD',
  },
  scope: {
    resources: ['/orders/**', '/canaryresource/*'],
    jurisdictions: ['DE', 'QX'],
    unverifiedCounterpartyPolicy: 'deny',
    minCounterpartyTrustScore: 37,
  },
  selfInstantiation: { allowed: true, maxSubAgents: 66_661, maxDepth: 97, inheritPermissions: true },
}
const RULES = [
  { dimension: 'purpose', match: { categories: ['canaryasked'] } },
  { dimension: 'scope', match: { resources: ['/canaryscope/**'], jurisdictions: ['QY'] } },
  { dimension: 'selfInstantiation', match: { purposes: ['canarysub'] } },
  { dimension: 'spend', match: { minValue: 90.1278 } },
]
const CANARIES = [
  ...['canary', '7777771', '7777772', 'Kathmandu', '100.25', '200.75', '500.5056', '888881'],
  ...[
    '"QX"',
    '"QY"',
    '66661',
    '"maxDepth"',
    '90.12',
    'minCounterparty',
    'autonomousThreshold',
    'approvalRules',
  ],
]

/** The number of calls in each of the two searches by bisection. */
const SEARCH_CALLS = faultMode === 'none' ? 150 : 500

describe('data visible to anyone but the owner', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let scene: OwnerScene
  let ada: Owner
  let agentId: string
  const read: string[] = []

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent({ pdlss: PDLSS })
    const rules = await ada.call('PUT', `/api/agents/${agentId}/approval-rules`, {
      body: { rules: RULES },
      headers: { 'X-Svc-Elevation': await ada.elevation() },
    })
    expect(rules.status).to.equal(200)
    receiver = await openReceiver()
    const hook = `/api/endpoints/${scene.svceId}/webhook`
    const told = await scene.call('POST', hook, {
      bearer: scene.shop.apiKey,
      body: { url: `${receiver.url}/hook` },
    })
    expect(told.status).to.equal(200)
  })
  after(async () => {
    await scene?.service.stop()
    await receiver?.stop()
  })

  /** Collects everything that a call returns, with encoded parts decoded. */
  async function ask(method: string, path: string, options: { bearer?: string; body?: object } = {}) {
    const answer = await scene.call(method, path, { bearer: scene.shop.apiKey, ...options })
    read.push(JSON.stringify([...answer.headers]), JSON.stringify(answer.body))
    const encoded = answer.body?.record?.entry ?? answer.body?.entry
    if (typeof encoded === 'string') read.push(Buffer.from(encoded, 'base64').toString())
    return answer
  }
  const verify = async (fields: object) =>
    ask('POST', '/api/agents/verify-access', {
      body: await scene.prove({
        agentId,
        counterpartyId: scene.svceId,
        purpose: 'shopping:buy',
        resource: '/orders/1',
        jurisdiction: 'de',
        ...fields,
      }),
    })
  const spend = (transactionValue: number, fields: object = {}) =>
    verify({ transactionValue, currency: 'USD', ...fields })
  const expectClean = () => {
    const all = [...read, ...receiver.received.map((one) => JSON.stringify(one))].join('\n')
    for (const canary of CANARIES) expect(containsValue(all, canary), canary).to.equal(false)
  }

  it('contains no value of a mandate in any verification, whatever is requested', async () => {
    const counterpartyUrl = `https://${randomUUID()}.acme.io`
    const deep = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { trustScoreRequirement: 99 })
    const asks = [
      {},
      { includeTokenGuidance: true },
      { purpose: undefined },
      { purpose: 'write_data:delete' },
      { action: 'sell' },
      { resource: '/elsewhere' },
      { resource: '/orders/../admin' },
      { jurisdiction: 'FR' },
      { sessionDuration: 400_000 },
      { sessionDuration: 60, includeTokenGuidance: true },
      { subAgent: { purpose: 'x', depth: 2 } },
      { subAgent: { purpose: 'x', depth: 100_000 } },
      { certifications: ['iso'] },
      { enableRuntimeChallenge: true },
      { transactionValue: 1, currency: 'EUR' },
      { transactionValue: 9e9, currency: 'USD' },
      { includeTokenGuidance: true, transactionValue: 300, currency: 'USD' },
      { dryRun: true, includeTokenGuidance: true, transactionValue: 300, currency: 'USD' },
      { dryRun: true, includeTokenGuidance: true, transactionValue: 1, currency: 'USD' },
      { counterpartyId: undefined, counterpartyUrl },
      { counterpartyId: undefined, counterpartyUrl: 'http://localhost:9' },
      { counterpartyId: deep },
      { agentId: 'SVC-0000000000000000000009' },
    ]
    const recommendations = new Set<string>()
    for (const fields of asks) recommendations.add((await verify(fields)).body.recommendation)
    expect([...recommendations]).to.include.members(['grant', 'deny', 'step_up_required'])
    expectClean()
  })

  it('reveals no limit to a verifier that searches by bisection', async () => {
    for (const looked of ['step_up_required', 'deny']) {
      let [low, high] = [1.003, 1_000.003]
      for (let step = 0; step < SEARCH_CALLS; step += 1) {
        const middle = Math.round(((low + high) / 2) * 10) / 10 + 0.007
        const { body } = await spend(middle)
        if (body.recommendation === looked || body.recommendation === 'deny') high = middle
        else low = middle
      }
    }
    expectClean()
    reportFaultFigure(
      `${2 * SEARCH_CALLS} calls in two searches by bisection: 0 of ${CANARIES.length} canaries found`,
    )
  })

  it('contains none in an approval’s poll, whatever becomes of it', async () => {
    for (const decide of [ada.approve, ada.deny, async () => undefined]) {
      const attemptId = randomUUID()
      const { approvalId } = (await spend(150.003, { attemptId })).body.stepUpApproval
      await ask('GET', `/api/step-up-approvals/poll/${approvalId}`)
      await decide(approvalId)
      await ask('GET', `/api/step-up-approvals/poll/${approvalId}`)
      await spend(150.003, { attemptId })
      await spend(151.003, { attemptId })
      await ask('GET', `/api/step-up-approvals/poll/${approvalId}`)
      for (const bearer of [scene.shop.accessToken, scene.shop.apiKey]) {
        await ask('GET', `/api/step-up-approvals/${approvalId}`, { bearer })
        await ask('POST', `/api/step-up-approvals/${approvalId}/deny`, { bearer, body: {} })
      }
    }
    expectClean()
  })

  it('contains none in the feed, the stream, the records, their proofs and the alerts', async () => {
    // Batches are sealed by the clock of these tests.
    scene.time.now += 5_000
    const stream = await openEventStream(`${scene.baseUrl}/api/activity/stream`, {
      bearer: scene.shop.apiKey,
      lastEventId: '0',
    })
    const kinds = new Set<string>()
    let cursor: string | null = null
    do {
      const page: string = cursor === null ? '' : `&cursor=${cursor}`
      // A feed that lags far behind makes the service ask for a retry.
      const { body } = await waitUntil(async () => {
        const answer = await ask('GET', `/api/activity?limit=100${page}`)
        return answer.status === 503 ? null : answer
      })
      for (const event of body.items) kinds.add(event.eventType)
      cursor = body.nextCursor
    } while (cursor !== null)
    expect([...kinds]).to.include.members([
      'verification.completed',
      'verification.denied',
      'verification.step_up_required',
      'verification.agent_not_found',
      'counterparty.discovery_blocked',
      'approval.requested',
      'approval.approved',
      'approval.denied',
      'approval.consumed',
    ])
    for (const kind of kinds) {
      const [event] = (await ask('GET', `/api/activity?limit=1&eventType=${kind}`)).body.items
      await ask('GET', `/api/audit/records/${event.auditRecordId}`)
      await waitUntil(async () => {
        const { status } = await ask('GET', `/api/audit/records/${event.auditRecordId}/proof`)
        return status === 200 ? true : null
      })
      await ask('POST', `/api/audit/records/${event.auditRecordId}/replay`, { body: {} })
    }
    await ask('GET', '/api/alerts', { bearer: scene.shop.accessToken })
    await waitUntil(async () => (stream.text().includes('approval.consumed') ? true : null))
    const exported = await fetch(`${scene.baseUrl}/api/audit/export`, {
      headers: { authorization: `Bearer ${scene.shop.apiKey}` },
    })
    read.push(stream.text(), await exported.text())
    await stream.close()
    await waitUntil(async () => (receiver.received.some(({ body }) => body.includes(agentId)) ? true : null))
    expectClean()
  })

  it('contains none in the public data of the agent, nor in a refusal to change it', async () => {
    const stranger = await createOrganisation(scene.baseUrl)
    for (const bearer of [scene.shop.apiKey, scene.shop.accessToken, stranger.apiKey]) {
      await ask('GET', `/api/agents/${agentId}`, { bearer })
      await ask('GET', `/api/agents/${agentId}/card`, { bearer })
      await ask('GET', `/api/agents/${agentId}/approval-rules`, { bearer })
      await ask('PUT', `/api/agents/${agentId}/approval-rules`, { bearer, body: { rules: [] } })
      await ask('PATCH', `/api/agents/${agentId}`, { bearer, body: { pdlss: {}, name: 'x' } })
    }
    await ask('GET', `/.well-known/agents/${agentId}.json`)
    await ask('GET', `/registration-files/${agentId}.json`)
    expectClean()
  })

  it('contrasts with the owner’s data, where the values can be found', async () => {
    const own = await ada.call('GET', `/api/agents/${agentId}`)
    const rules = await ada.call('GET', `/api/agents/${agentId}/approval-rules`)
    const text = JSON.stringify([own.body, rules.body])
    const missing = CANARIES.filter((canary) => !containsValue(text, canary))
    expect(missing).to.deep.equal([])
  })
})
