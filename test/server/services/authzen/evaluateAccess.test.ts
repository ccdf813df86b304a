import { expect } from 'chai'
import { decodeJwt } from 'jose'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { signAsAgent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'

const EVALUATION = '/access/v1/evaluation'

type EvaluatedAccess = {
  decision: boolean
  context: {
    recommendation: string
    accessLevel: string
    auditRecordId: string
    failures?: { dimension: string; cause?: string }[]
  }
}

describe('an AuthZEN evaluation', () => {
  let service: StartedService
  let shop: Organisation
  let svceId: string
  let svcId: string

  before(async () => {
    service = await startService()
    shop = await createOrganisation(service.baseUrl)
    svceId = await registerEndpoint(service.baseUrl, shop.apiKey, {
      trustScoreRequirement: 0,
      pdlss: {
        limits: { autonomousThreshold: 4_711, currency: 'USD' },
        purpose: { deniedActions: ['canary'] },
      },
    })
    svcId = (
      await registerAgent(service.baseUrl, { name: 'Canary agent', pdlss: { limits: { currency: 'USD' } } })
    ).svcId
  })
  after(() => service?.stop())

  const evaluation = (changes: object = {}) => ({
    subject: { type: 'agent', id: svcId },
    action: { name: 'shopping:read' },
    resource: { type: 'endpoint', id: svceId },
    ...changes,
  })
  const evaluate = (changes: object = {}, bearer = shop.apiKey) =>
    api(service.baseUrl, 'POST', EVALUATION, { bearer, body: evaluation(changes) })
  const verify = (body: object) =>
    api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId: svcId, counterpartyId: svceId, ...body },
    })

  it('comes with a receipt if the context asks for one', async () => {
    const { context } = (await evaluate({ context: { includeReceipt: true } })).body
    expect(decodeJwt(context.receipt)).to.include({ sub: svcId, aud: svceId, jti: context.auditRecordId })
    expect((await evaluate()).body.context).to.not.have.property('receipt')
  })

  it('is the decision of verify-access, and recorded like it', async () => {
    const CASES: [object, object][] = [
      [{}, { purpose: 'shopping:read' }],
      [{ action: { name: 'shopping:canary' } }, { purpose: 'shopping:canary' }],
      [
        { action: { name: 'shopping:read', properties: { transactionValue: 5_000, currency: 'USD' } } },
        { purpose: 'shopping:read', transactionValue: 5_000, currency: 'USD' },
      ],
      [
        { subject: { type: 'agent', id: 'SVC-0000000000000000000000' } },
        { agentId: 'SVC-0000000000000000000000' },
      ],
      [{ subject: { type: 'anonymous', id: '-' } }, { agentId: undefined }],
    ]
    for (const [changes, body] of CASES) {
      const ours = (await verify(body)).body
      const { decision, context } = (await evaluate(changes)).body
      expect(decision).to.equal(ours.recommendation === 'grant' || ours.recommendation === 'audit')
      expect(context).to.include({
        recommendation: ours.recommendation,
        accessLevel: ours.access.accessLevel,
      })
      expect(context.failures).to.deep.equal(ours.access.failures)
      const { items } = (await api(service.baseUrl, 'GET', '/api/activity?limit=1', { bearer: shop.apiKey }))
        .body
      expect(items[0].auditRecordId).to.equal(context.auditRecordId)
    }
  })

  it('states what the request proves, and denies a proof that is wrong', async () => {
    const key = createAgentKey()
    const signer = (await registerAgent(service.baseUrl)).svcId
    await storeAgentKey(service, signer, key)
    await service.rows(`UPDATE agents SET min_identity_proof = 'none' WHERE svc_id = ?`, signer)
    const counterpartyUrl = 'https://authzen.acme.io'
    const url = `${counterpartyUrl}/orders`
    const created = Math.floor(Date.now() / 1000)
    const callerMetadata = signAsAgent(key, { svcId: signer, url, created })
    const changes = {
      subject: { type: 'agent', id: signer },
      resource: {
        type: 'endpoint',
        id: await registerEndpoint(service.baseUrl, shop.apiKey, { counterpartyUrl }),
      },
    }
    const seen = async (context: object) => {
      const { decision, context: stated } = (await evaluate({ ...changes, context })).body
      return [decision, stated.identityProof, stated.failures?.[0].dimension]
    }
    expect(await seen({})).to.deep.equal([true, 'none', undefined])
    expect(await seen({ callerMetadata })).to.deep.equal([true, 'signature', undefined])
    expect(await seen({ callerMetadata })).to.deep.equal([false, 'none', 'agent.proof'])
  })

  it('reveals nothing about a policy, the agent or its owner', async () => {
    const denied = await evaluate({ action: { name: 'shopping:canary' } })
    expect(denied.body.decision).to.equal(false)
    expect(denied.body.context.failures[0]).to.include({ dimension: 'endpoint.purpose' })
    for (const canary of [
      '4711',
      '4_711',
      'deniedActions',
      'Canary',
      'appliedPolicy',
      'restrictions',
      'SVCD-',
    ]) {
      expect(containsValue(JSON.stringify(denied.body), canary), canary).to.equal(false)
    }
  })

  it('includes the owner’s approval if one is requested', async () => {
    const asking = await registerAgent(service.baseUrl, {
      pdlss: {
        limits: { autonomousThreshold: 1, stepUpThreshold: 50, approvalThreshold: 90, currency: 'USD' },
      },
    })
    const properties = { transactionValue: 70, currency: 'USD' }
    const changes = {
      subject: { type: 'agent', id: asking.svcId },
      action: { name: 'shopping:read', properties },
    }
    const { decision, context } = (await evaluate(changes)).body
    expect([decision, context.recommendation]).to.deep.equal([false, 'step_up_required'])
    expect(context.stepUpApproval).to.include.keys('approvalId', 'pollUrl', 'attemptId', 'expiresAt')
    const { attemptId } = context.stepUpApproval
    const other = { ...changes, action: { name: 'shopping:buy', properties }, context: { attemptId } }
    const refused = await evaluate(other)
    expect([refused.status, refused.body.errors?.[0]?.pointer]).to.deep.equal([400, '/context/attemptId'])
  })

  it('is false at an access level below the required minimum', async () => {
    const partial = await registerEndpoint(service.baseUrl, shop.apiKey, {
      trustScoreRequirement: 0,
      unverifiedAgentPolicy: 'allow_partial',
    })
    const anonymous = { subject: { type: 'anonymous', id: '-' }, resource: { type: 'endpoint', id: partial } }
    const decided = async (context: object) => (await evaluate({ ...anonymous, context })).body
    const { decision, context: denied } = (await decided({})) as EvaluatedAccess
    expect(decision).to.equal(false)
    expect(denied).to.include({ recommendation: 'deny', accessLevel: 'none' })
    expect(denied.failures).to.have.length(1)
    expect(denied.failures?.[0]).to.include({ dimension: 'agent.identity', cause: 'level_too_low' })
    expect((await decided({ minAccessLevel: 'restricted' })).decision).to.equal(true)
    const wrong = await evaluate({ ...anonymous, context: { minAccessLevel: 'all' } })
    expect([wrong.status, wrong.body.errors[0].pointer]).to.deep.equal([400, '/context/minAccessLevel'])
  })

  it('records a level below the required minimum as a denial, which uses up nothing', async () => {
    const spender = await registerAgent(service.baseUrl, { pdlss: { limits: { maxTransactionsPerHour: 1 } } })
    const buy = async (minAccessLevel: string) => {
      const { decision, context } = (
        await evaluate({
          subject: { type: 'agent', id: spender.svcId },
          action: { name: 'shopping:buy', properties: { transactionValue: 1, currency: 'USD' } },
          context: { minAccessLevel },
        })
      ).body as EvaluatedAccess
      const path = `/api/activity?limit=1&agentId=${spender.svcId}`
      const { items } = (await api(service.baseUrl, 'GET', path, { bearer: shop.apiKey })).body
      expect([items[0].auditRecordId, items[0].eventData.recommendation]).to.deep.equal([
        context.auditRecordId,
        context.recommendation,
      ])
      const replayed = await api(
        service.baseUrl,
        'POST',
        `/api/audit/records/${context.auditRecordId}/replay`,
        { bearer: shop.apiKey },
      )
      expect(replayed.body.reproduced, JSON.stringify(replayed.body)).to.equal(true)
      return [decision, ...(context.failures ?? []).map(({ dimension }) => dimension)]
    }
    expect(await buy('internal')).to.deep.equal([false, 'trust.score'])
    expect(await buy('standard')).to.deep.equal([true])
    expect(await buy('standard')).to.deep.equal([false, 'pdlss.rate'])
  })

  it('concerns the only endpoint of the key’s organisation if none is named, and otherwise requires its name', async () => {
    const single = await createOrganisation(service.baseUrl)
    const unnamed = { resource: { type: 'record', id: 'record-1' } }
    const none = await evaluate(unnamed, single.apiKey)
    expect([none.status, none.body.errors[0].pointer]).to.deep.equal([
      400,
      '/resource/properties/counterpartyId',
    ])
    const only = await registerEndpoint(service.baseUrl, single.apiKey, { trustScoreRequirement: 0 })
    const { status, body } = await evaluate(unnamed, single.apiKey)
    expect([status, body.decision]).to.deep.equal([200, true])
    const feed = await api(service.baseUrl, 'GET', '/api/activity?limit=1', { bearer: single.apiKey })
    expect(feed.body.items[0].endpointId).to.equal(only)
    await registerEndpoint(service.baseUrl, single.apiKey)
    expect((await evaluate(unnamed, single.apiKey)).status).to.equal(400)
  })

  it('counts against the budget once per evaluation, and denies the rest of a batch beyond it', async () => {
    const small = await startService({ settings: { VERIFY_RATE_PER_MINUTE: '3' } })
    try {
      const { apiKey } = await createOrganisation(small.baseUrl)
      await registerEndpoint(small.baseUrl, apiKey, { unverifiedAgentPolicy: 'allow_full' })
      const body = {
        subject: { type: 'anonymous', id: '-' },
        action: { name: 'read' },
        resource: { type: 'record', id: 'record-1' },
        context: { minAccessLevel: 'restricted' },
        evaluations: Array(5).fill({}),
      }
      const path = '/access/v1/evaluations'
      const first = await api(small.baseUrl, 'POST', path, { bearer: apiKey, body })
      const decisions = first.body.evaluations.map((item: { decision: boolean }) => item.decision)
      expect(decisions).to.deep.equal([true, true, true, false, false])
      expect(first.body.evaluations[4].context.error).to.include({ status: 429, code: 'RATE_LIMITED' })
      const second = await api(small.baseUrl, 'POST', path, { bearer: apiKey, body })
      expect(second.status).to.equal(429)
      expect(second.headers.get('retry-after')).to.match(/^\d+$/)
    } finally {
      await small.stop()
    }
  })

  it('names the invalid member of the evaluation', async () => {
    const CASES: [string, object][] = [
      ['/context/jurisdiction', { context: { jurisdiction: 5 } }],
      [
        '/action/properties/transactionValue',
        { action: { name: 'x', properties: { transactionValue: '5' } } },
      ],
      ['/subject/id', { subject: { type: 'agent', id: 'x'.repeat(65) } }],
      ['/resource/id', { resource: { type: 'endpoint', id: 'not a url' } }],
    ]
    for (const [pointer, changes] of CASES) {
      const { status, body } = await evaluate(changes)
      expect([status, body.errors[0].pointer]).to.deep.equal([400, pointer])
    }
  })
})
