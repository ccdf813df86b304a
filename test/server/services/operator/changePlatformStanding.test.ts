import { deriveProvisionalAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { expect } from 'chai'
import { type OperatorScene, openOperatorScene, outcomeOf, REASON } from './openOperatorScene.ts'

const USER_AGENTS = { openai: 'GPTBot/1.2', anthropic: 'ClaudeBot/1.0', perplexity: 'PerplexityBot/1.0' }

describe('the withdrawal of a platform agent', () => {
  let scene: OperatorScene
  let apiKey: string
  let counterpartyId: string
  before(async () => {
    scene = await openOperatorScene()
    apiKey = (await scene.person()).apiKey
    counterpartyId = await scene.endpointOf(apiKey, { unverifiedAgentPolicy: 'allow_full' })
  })
  after(() => scene?.service.stop())

  const see = async (platform: keyof typeof USER_AGENTS, fields: object = {}) => {
    const callerMetadata = { userAgent: USER_AGENTS[platform] }
    return (await scene.verify(apiKey, { counterpartyId, callerMetadata, ...fields })).body
  }
  const statusOf = async (platform: string) => {
    const { status, body } = await scene.call(
      'GET',
      `/api/agents/${deriveProvisionalAgentIdentifier(platform)}`,
    )
    return status === 200 ? body.agent.agentStatus : status
  }

  it('makes its callers unrecognised, in dry runs too, until it is restored', async () => {
    const svcId = deriveProvisionalAgentIdentifier('openai')
    expect((await see('openai')).agent).to.include({ svcId, platform: 'openai' })
    expect(await statusOf('openai')).to.equal('provisional')
    const { status, body } = await scene.order('platforms/openai/withdraw')
    expect([status, body]).to.deep.equal([200, { success: true, id: 'openai', svcId, status: 'withdrawn' }])
    const unrecognised = (await scene.verify(apiKey, { counterpartyId })).body
    for (const fields of [{}, { dryRun: true }]) {
      const seen = await see('openai', fields)
      expect(seen).not.to.have.property('agent')
      expect(seen.recommendation).to.equal(unrecognised.recommendation)
    }
    expect(await statusOf('openai')).to.equal('withdrawn')
    expect(await scene.decide(apiKey, { counterpartyId, agentId: svcId })).to.include('agent.status')
    const restored = await scene.order('platforms/openai/restore')
    expect(restored.body).to.include({ svcId, status: 'recognised' })
    expect((await see('openai')).agent).to.include({ svcId })
    expect(await statusOf('openai')).to.equal('provisional')
  })

  it('applies to a platform that was never seen', async () => {
    expect(await statusOf('anthropic')).to.equal(404)
    await scene.order('platforms/anthropic/withdraw')
    expect(await statusOf('anthropic')).to.equal('withdrawn')
    expect(await see('anthropic')).not.to.have.property('agent')
    await scene.order('platforms/anthropic/restore')
    expect((await see('anthropic')).agent).to.include({ platform: 'anthropic' })
  })

  it('is recorded, for each step, with the operator and without the reason', async () => {
    await scene.order('platforms/perplexity/withdraw')
    await scene.order('platforms/perplexity/restore')
    const records = await scene.rows<{ event_type: string; event_data: string; agent_id: string }>(
      `SELECT event_type, event_data, agent_id FROM audit_records WHERE agent_id = ? ORDER BY seq`,
      deriveProvisionalAgentIdentifier('perplexity'),
    )
    expect(records.map(({ event_type }) => event_type)).to.deep.equal(['agent.withdrawn', 'agent.restored'])
    expect(JSON.parse(records[0]?.event_data ?? '')).to.include({
      platform: 'perplexity',
      decidedBy: scene.operator.user.developerId,
    })
    expect(JSON.stringify(records)).not.to.contain(REASON)
  })

  it('is refused if it is in force already, its end if it is not, and both for an unknown platform', async () => {
    expect(outcomeOf(await scene.order('platforms/meta/restore'))).to.deep.equal([409, 'INVALID_STATE'])
    const both = await Promise.all([1, 2].map(() => scene.order('platforms/meta/withdraw')))
    expect(both.map(({ status }) => status).sort()).to.deep.equal([200, 409])
    for (const step of ['withdraw', 'restore']) {
      const path = `platforms/nobody/${step}`
      expect(outcomeOf(await scene.order(path))).to.deep.equal([404, 'NOT_FOUND'])
      expect(outcomeOf(await scene.order(path, {}))).to.deep.equal([400, 'VALIDATION_ERROR'])
    }
  })
})
