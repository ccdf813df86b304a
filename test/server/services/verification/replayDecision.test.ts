import { expect } from 'chai'
import fc from 'fast-check'
import { createLinkFailures } from '../../../../server/services/verification/linkFailures.ts'
import { replayDecision } from '../../../../server/services/verification/replayDecision.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import ofVersion1 from '../../../fixtures/decisionsOfVersion1.json' with { type: 'json' }
import ofVersion2 from '../../../fixtures/decisionsOfVersion2.json' with { type: 'json' }
import ofVersion3 from '../../../fixtures/decisionsOfVersion3.json' with { type: 'json' }
import ofVersion5 from '../../../fixtures/decisionsOfVersion5.json' with { type: 'json' }
import ofVersion6 from '../../../fixtures/decisionsOfVersion6.json' with { type: 'json' }
import { faultMode } from '../../../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

/** Decisions made and replayed. */
const REPLAYS = { none: 300, short: 1_000, full: 10_000 }[faultMode]
/** A Monday; the clock stands still during a request. */
const START = Date.UTC(2026, 0, 5, 9)

const AGENT_POLICIES = [
  {},
  {
    purpose: { categories: ['shopping', 'read_data'], deniedActions: ['shopping.refund'] },
    duration: { maxSessionDuration: 600, allowedDays: [1, 2, 3], allowedHours: { start: 8, end: 17 } },
    limits: { autonomousThreshold: 50, approvalThreshold: 500, maxTransactionsPerHour: 20, currency: 'USD' },
    scope: { jurisdictions: ['DE', 'FR'], resources: ['/shop/**'] },
    selfInstantiation: { allowed: true, maxSubAgents: 5, maxDepth: 2, requireApproval: true },
  },
]
const ENDPOINT_POLICIES = [
  { unverifiedAgentPolicy: 'audit' },
  {
    trustScoreRequirement: 30,
    unverifiedAgentPolicy: 'allow_partial',
    pdlss: {
      purpose: { categories: ['shopping'] },
      limits: { maxCumulativeSpend: 900, cumulativePeriod: 'day' },
      scope: { deniedResources: ['/shop/admin/**'] },
    },
  },
]

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values)
const requests = fc.record(
  {
    purpose: pick('shopping', 'shopping:refund', 'read_data', 'financial_transaction'),
    resource: pick('/shop/1', '/shop/admin/x', '/other', '/shop/../x'),
    jurisdiction: pick('DE', 'us', 'FR'),
    transactionValue: pick(0, 12.5, 49.99, 50, 499.99, 500, 10_000),
    currency: pick('USD', 'EUR'),
    sessionDuration: pick(60, 600, 601),
    subAgent: pick({ depth: 1 }, { depth: 3, purpose: 'shopping' }),
  },
  { requiredKeys: [] },
)

describe('replayDecision', () => {
  let service: StartedService
  let shop: Organisation
  let endpoints: string[]
  let agents: string[]
  let now = START

  before(async () => {
    service = await startService({ clock: () => now })
    shop = await createOrganisation(service.baseUrl)
    endpoints = await Promise.all(
      ENDPOINT_POLICIES.map((fields) => registerEndpoint(service.baseUrl, shop.apiKey, fields)),
    )
    agents = []
    for (const pdlss of AGENT_POLICIES) {
      agents.push((await registerAgent(service.baseUrl, { pdlss }, { timestamp: START / 1000 })).svcId)
    }
  })
  after(() => service.stop())

  const verify = async (body: object) =>
    (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })).body
  const replay = (id: string, bearer: string | undefined = shop.apiKey) =>
    api(service.baseUrl, 'POST', `/api/audit/records/${id}/replay`, { bearer })

  it(`reproduces ${REPLAYS} recorded decisions exactly`, async () => {
    const asked = fc.sample(
      fc.record({
        body: requests,
        agentId: pick(...agents, 'SVC-0000000000000000000000', undefined),
        counterpartyId: pick(...endpoints),
        minutes: fc.integer({ min: 0, max: 60 * 24 * 7 }),
      }),
      { numRuns: REPLAYS, seed: 7 },
    )
    const answers = []
    for (const { body, agentId, counterpartyId, minutes } of asked) {
      now = START + minutes * 60_000
      answers.push(await verify({ ...body, agentId, counterpartyId }))
    }
    const seen = new Set<string>()
    for (const answer of answers) {
      const { status, body } = await replay(answer.auditRecordId)
      expect(status).to.equal(200)
      expect(body).to.include({ reproduced: true, inputsMatch: true })
      expect(body.replayed.access).to.deep.equal(answer.access)
      expect(body.replayed.recommendation).to.equal(answer.recommendation)
      expect(body.replayed.recommendationReasons).to.deep.equal(answer.recommendationReasons)
      seen.add(answer.recommendation)
    }
    expect([...seen]).to.have.members(['grant', 'deny', 'step_up_required', 'audit'])
    reportFaultFigure(`${REPLAYS} recorded decisions replayed from their records, 0 differences`)
  }).timeout(REPLAYS * 180)

  it('uses the rules of that time, whatever the endpoint admits now', async () => {
    now = START
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const before = await verify({ agentId: agents[0], counterpartyId })
    await api(service.baseUrl, 'POST', `/api/endpoints/${counterpartyId}/allowlist`, {
      bearer: shop.apiKey,
      body: { allowedOwnerIdentifier: 'SVCD-0000000000000000000000' },
    })
    const after = await verify({ agentId: agents[0], counterpartyId })
    expect([before.recommendation, after.recommendation]).to.deep.equal(['grant', 'deny'])
    expect((await replay(before.auditRecordId)).body.replayed.recommendation).to.equal('grant')
    expect((await replay(after.auditRecordId)).body.replayed.dimensions).to.deep.equal([
      'counterparty.allowlist',
    ])
  })

  it('reports if the stored inputs do not match the log’s commitment', async () => {
    const { auditRecordId } = await verify({ agentId: agents[1], counterpartyId: endpoints[0] })
    await service.rows(`UPDATE audit_records SET inputs = replace(inputs, '"trustScore":', '"trustScore":1')`)
    expect((await replay(auditRecordId)).body).to.include({ inputsMatch: false, reproduced: false })
  })

  it('reports if the stored rules are not those that the inputs name, also if they decide the same', async () => {
    const { auditRecordId } = await verify({ agentId: agents[0], counterpartyId: endpoints[0] })
    const alter = (from: string, to: string) =>
      service.rows(`UPDATE decision_contexts SET document = replace(document, '${from}', '${to}')`)
    await alter('"pdlss":{', '"pdlss": {')
    expect((await replay(auditRecordId)).body).to.include({ inputsMatch: false, reproduced: false })
    await alter('"pdlss": {', '"pdlss":{')
    expect((await replay(auditRecordId)).body).to.include({ inputsMatch: true, reproduced: true })
  })

  for (const [altered, inputs] of [
    ['are not JSON', `substr(inputs, 2)`],
    ['are no object', `'null'`],
    ['lack members', `replace(inputs, '"request":', '"asked":')`],
  ]) {
    it(`returns 409 if the stored inputs ${altered}`, async () => {
      const { auditRecordId } = await verify({ agentId: agents[1], counterpartyId: endpoints[0] })
      await service.rows(`UPDATE audit_records SET inputs = ${inputs} WHERE record_id = '${auditRecordId}'`)
      const { status, body } = await replay(auditRecordId)
      expect([status, body.code]).to.deep.equal([409, 'INVALID_STATE'])
      expect(body.message).to.match(/not the recorded ones/)
    })
  }

  it('returns 409 if no decision can be made from the stored rules', async () => {
    const { auditRecordId } = await verify({ agentId: agents[1], counterpartyId: endpoints[0] })
    const alter = (from: string, to: string) =>
      service.rows(`UPDATE decision_contexts SET document = replace(document, '${from}', '${to}')`)
    await alter('"pdlss":{', '"pdlss:{')
    expect((await replay(auditRecordId)).body.code).to.equal('INVALID_STATE')
    await alter('"pdlss:{', '"pdlss":{')
    expect((await replay(auditRecordId)).body.reproduced).to.equal(true)
  })

  it('returns 404 to strangers, and for an unknown record', async () => {
    const { auditRecordId } = await verify({ agentId: agents[0], counterpartyId: endpoints[0] })
    const stranger = await createOrganisation(service.baseUrl)
    expect((await replay(auditRecordId, stranger.apiKey)).status).to.equal(404)
    expect((await replay('019b0000-0000-7000-8000-000000000000')).status).to.equal(404)
    expect((await replay(auditRecordId, 'nonsense')).status).to.equal(401)
  })

  it('returns 409 for a record without a decision', async () => {
    const { body } = await api(service.baseUrl, 'GET', '/api/activity', { bearer: shop.apiKey })
    const registered = body.items.find((event: { eventType: string }) =>
      event.eventType.startsWith('endpoint.'),
    )
    const { status, body: answer } = await replay(registered.auditRecordId)
    expect([status, answer.code]).to.deep.equal([409, 'INVALID_STATE'])
  })

  const FORMER = [
    {
      version: 1,
      recorded: ofVersion1,
      outcomes: [
        ...['grant', 'grant', 'deny', 'step_up_required', 'grant', 'deny', 'grant', 'grant', 'deny'],
      ],
    },
    {
      version: 2,
      recorded: ofVersion2,
      outcomes: [
        'deny counterparty.trust pdlss.purpose pdlss.limits pdlss.scope',
        'deny counterparty.trust commerce.intent.approval_required',
        'deny counterparty.trust',
        'deny pdlss.purpose pdlss.scope',
        'deny pdlss.scope',
        'deny counterparty.policy pdlss.purpose',
        'deny pdlss.purpose',
        'deny pdlss.purpose pdlss.limits',
        'step_up_required commerce.intent.approval_required',
        'grant',
        // A dry run by a stranger, and a request at an endpoint of the agent's owner.
        'deny pdlss.purpose pdlss.limits',
        'deny pdlss.purpose pdlss.limits',
        'deny agent.identity',
      ],
    },
    {
      version: 3,
      recorded: ofVersion3,
      outcomes: [
        // Without an agent, where a signature, a challenge, a token, a signature and nothing is required.
        ...['grant', 'grant', 'audit', 'deny agent.identity', 'grant'],
        // More than three requests wait for the owner.
        'deny approvals.pending commerce.intent.approval_required',
      ],
    },
    {
      version: 5,
      recorded: ofVersion5,
      outcomes: [
        // A sub-agent uses three of its parent's nine; its sibling may use two, but all three were compared with them.
        ...['grant', 'grant', 'grant', 'deny pdlss.rate', 'grant'],
      ],
    },
    {
      version: 6,
      recorded: ofVersion6,
      outcomes: [
        // Limits in USD and in EUR, without a currency and in EUR; limits without a currency.
        ...['grant', 'deny pdlss.limits', 'grant'],
        // A purpose is required: of an agent that states an action, of one that states nothing, and without an agent.
        ...['grant', 'deny endpoint.purpose', 'audit'],
      ],
    },
  ]
  for (const { version, recorded, outcomes } of FORMER) {
    it(`reproduces decisions of version ${version} of the rules, which the present ones would make differently`, async () => {
      const documents = new Map(recorded.contexts.map(({ hash, document }) => [hash, document]))
      const deps = {
        records: {
          byRecordId: async (id: string) => recorded.records.find((one) => one.recordId === id) ?? null,
        },
        catchUp: async () => 0,
        contexts: { read: async (hash: string) => documents.get(hash) ?? null },
        linkFailures: createLinkFailures('https://svc.example'),
      }
      const seen = []
      for (const record of recorded.records) {
        expect(JSON.parse(record.inputs).decisionVersion).to.equal(version)
        const actsFor = new Set([record.counterpartyOwnerId])
        const { replayed, ...rest } = await replayDecision(deps, { recordId: record.recordId, actsFor })
        expect(rest, record.inputs).to.include({ reproduced: true, inputsMatch: true })
        const dimensions = version === 1 ? [] : replayed.dimensions
        seen.push([replayed.recommendation, ...dimensions].join(' '))
      }
      expect(seen).to.deep.equal(outcomes)
    })
  }
})
