import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'
import { EVALUATION, EVALUATIONS, type Json } from './openCertificationScene.ts'

type Evaluated = { isReplayed: boolean; context: Json }

describe('an AuthZEN evaluation under an Idempotency-Key', () => {
  let scene: OwnerScene
  let ada: Owner
  let eve: Owner
  let agentId: string
  let svceId: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    eve = await scene.owner()
  })
  after(() => scene?.service.stop())
  beforeEach(async () => {
    agentId = await ada.agent()
    svceId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey)
  })

  /** An evaluation that is granted, unless it is changed. */
  const evaluation = (changes: Json = {}): Json => ({
    subject: { type: 'agent', id: agentId },
    action: { name: 'shopping:buy', properties: { transactionValue: 1, currency: 'USD' } },
    resource: { type: 'order', id: '/orders/1', properties: { counterpartyId: svceId } },
    context: { jurisdiction: 'DE' },
    ...changes,
  })
  const send = (path: string, key: string, body: Json) =>
    scene.call('POST', path, { bearer: scene.shop.apiKey, body, headers: { 'idempotency-key': key } })

  /** The two ways to send an evaluation; the batch has another evaluation before it, of an agent that nothing changes. */
  const WAYS: Record<string, (changes?: Json) => Promise<(key: string) => Promise<Evaluated>>> = {
    single: async (changes) => {
      const body = evaluation(changes)
      return async (key) => {
        const { status, headers, body: answer } = await send(EVALUATION, key, body)
        expect(status, JSON.stringify(answer)).to.equal(200)
        return { isReplayed: headers.get('idempotent-replayed') === 'true', context: answer.context }
      }
    },
    'in a batch': async (changes) => {
      const first = { ...evaluation(), subject: { type: 'agent', id: await ada.agent() } }
      const body = { evaluations: [first, evaluation(changes)] }
      return async (key) => {
        const { status, headers, body: answer } = await send(EVALUATIONS, key, body)
        expect(status, JSON.stringify(answer)).to.equal(200)
        return {
          isReplayed: headers.get('idempotent-replayed') === 'true',
          context: answer.evaluations[1].context,
        }
      }
    },
  }
  const dimensionsOf = ({ failures }: Json) =>
    (failures as { dimension: string }[]).map(({ dimension }) => dimension)

  for (const [way, prepare] of Object.entries(WAYS)) {
    describe(way, () => {
      it('is repeated for a minute', async () => {
        const [key, evaluate] = [randomUUID(), await prepare()]
        const first = await evaluate(key)
        expect(first.context.recommendation).to.equal('grant')
        scene.time.now += 59_999
        expect(await evaluate(key)).to.deep.equal({ isReplayed: true, context: first.context })
        scene.time.now += 1
        const later = await evaluate(key)
        expect(later.isReplayed).to.equal(false)
        expect(later.context.auditRecordId).to.not.equal(first.context.auditRecordId)
      })

      it('is repeated only while its agent is unchanged', async () => {
        const [key, evaluate] = [randomUUID(), await prepare()]
        expect((await evaluate(key)).context.recommendation).to.equal('grant')
        expect((await ada.call('POST', `/api/agents/${agentId}/suspend`)).status).to.equal(200)
        const { isReplayed, context } = await evaluate(key)
        expect([isReplayed, context.recommendation]).to.deep.equal([false, 'deny'])
        expect(dimensionsOf(context)).to.deep.equal(['agent.status'])
      })

      it('is repeated only while its endpoint is unchanged', async () => {
        const [key, evaluate] = [randomUUID(), await prepare()]
        expect((await evaluate(key)).context.recommendation).to.equal('grant')
        const path = `/api/endpoints/${svceId}/deactivate`
        expect((await scene.call('POST', path, { bearer: scene.shop.accessToken })).status).to.equal(200)
        const { isReplayed, context } = await evaluate(key)
        expect([isReplayed, context.recommendation]).to.deep.equal([false, 'deny'])
        expect(dimensionsOf(context)).to.deep.equal(['counterparty.status'])
      })

      it('refuses its key for an evaluation of another agent, and is repeated afterwards', async () => {
        const [key, evaluate] = [randomUUID(), await prepare()]
        const first = await evaluate(key)
        const body = { ...evaluation(), subject: { type: 'agent', id: await eve.agent() } }
        const other = way === 'single' ? body : { evaluations: [body] }
        const { status, body: refusal } = await send(way === 'single' ? EVALUATION : EVALUATIONS, key, other)
        expect([status, refusal.code]).to.deep.equal([409, 'IDEMPOTENCY_CONFLICT'])
        expect(await evaluate(key)).to.deep.equal({ isReplayed: true, context: first.context })
      })

      it('is not repeated if it is held: after the approval it is granted under the same key', async () => {
        const properties = { transactionValue: 150, currency: 'USD' }
        const attempt = { jurisdiction: 'DE', attemptId: randomUUID() }
        const changes = { action: { name: 'shopping:buy', properties }, context: attempt }
        const [key, evaluate] = [randomUUID(), await prepare(changes)]
        const held = await evaluate(key)
        expect(held.context.recommendation).to.equal('step_up_required')
        const { approvalId } = held.context.stepUpApproval as { approvalId: string }
        expect((await ada.approve(approvalId)).status).to.equal(200)
        const { isReplayed, context } = await evaluate(key)
        expect([isReplayed, context.recommendation]).to.deep.equal([false, 'grant'])
      })

      it('has a new correlationId each time if it has no identity', async () => {
        const [key, evaluate] = [randomUUID(), await prepare({ subject: { type: 'anonymous', id: '-' } })]
        const [first, second] = [await evaluate(key), await evaluate(key)]
        expect(first.context.correlationId).to.be.a('string')
        expect(second.isReplayed).to.equal(false)
        expect(second.context.correlationId).to.not.equal(first.context.correlationId)
      })

      it('is not repeated if it rests on a third-party credential', async () => {
        const credentials = [{ type: 'did', value: 'did:web:one.acme.io' }]
        const changes = { subject: { type: 'anonymous', id: '-' }, context: { credentials } }
        const [key, evaluate] = [randomUUID(), await prepare(changes)]
        await evaluate(key)
        expect((await evaluate(key)).isReplayed).to.equal(false)
      })
    })
  }

  it('is repeated beside one that is invalid', async () => {
    const [key, body] = [randomUUID(), { evaluations: [evaluation(), { subject: { type: 'agent' } }] }]
    const [first, second] = [await send(EVALUATIONS, key, body), await send(EVALUATIONS, key, body)]
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
    expect(second.body).to.deep.equal(first.body)
    expect(second.body.evaluations[1].context.error.code).to.equal('VALIDATION_ERROR')
  })
})
