import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('POST /api/agents/:id/{suspend,resume,retire}', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
  })
  beforeEach(async () => {
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const step = (name: string, by = ada, id = agentId) => by.call('POST', `/api/agents/${id}/${name}`)
  const verify = async () => (await scene.verify(scene.asking(agentId, { transactionValue: 20 }))).body
  const file = async () => {
    const response = await fetch(`${scene.service.baseUrl}/registration-files/${agentId}.json`)
    return Buffer.from(await response.arrayBuffer())
  }

  it('denies a suspended agent from the response on, and admits it again once it is resumed', async () => {
    expect((await verify()).recommendation).to.equal('grant')
    const suspended = await step('suspend')
    expect([suspended.status, suspended.body.agent.agentStatus]).to.deep.equal([200, 'suspended'])
    const denied = await verify()
    expect(denied.recommendation).to.equal('deny')
    expect(denied.agent.agentStatus).to.equal('suspended')
    expect(denied.access.failures.map(({ dimension }: { dimension: string }) => dimension)).to.deep.equal([
      'agent.status',
    ])
    expect((await step('resume')).body.agent.agentStatus).to.equal('active')
    expect((await verify()).recommendation).to.equal('grant')
  })

  it('retires an active and a suspended agent permanently', async () => {
    for (const before of [[], ['suspend']]) {
      agentId = await ada.agent()
      for (const name of before) await step(name)
      expect((await step('retire')).body.agent.agentStatus).to.equal('retired')
      expect((await verify()).recommendation).to.equal('deny')
      for (const name of ['retire', 'suspend', 'resume']) {
        expect(outcome(await step(name)), name).to.deep.equal([409, 'INVALID_STATE'])
      }
      const renamed = await ada.call('PATCH', `/api/agents/${agentId}`, { body: { name: 'Risen' } })
      expect(outcome(renamed)).to.deep.equal([409, 'INVALID_STATE'])
    }
  })

  it('refuses to suspend an agent twice and to resume an active one', async () => {
    expect(outcome(await step('resume'))).to.deep.equal([409, 'INVALID_STATE'])
    await step('suspend')
    expect(outcome(await step('suspend'))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('accepts one of two concurrent retirements', async () => {
    const answers = await Promise.all([step('retire'), step('retire')])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409])
  })

  it('rewrites the registration file and its commitment, and restores the original bytes', async () => {
    const hash = async () => (await ada.call('GET', `/api/agents/${agentId}`)).body.agent.registrationFileHash
    const before = await file()
    await step('suspend')
    const meanwhile = await file()
    expect(JSON.parse(meanwhile.toString()).active).to.equal(false)
    expect(await hash()).to.equal(sha256Hex(meanwhile))
    await step('resume')
    const { active } = JSON.parse((await file()).toString())
    expect(active).to.equal(true)
    expect(JSON.parse(before.toString()).active).to.equal(true)
    expect(await hash()).to.equal(sha256Hex(await file()))
  })

  it('records each step as an event of the owner', async () => {
    for (const name of ['suspend', 'resume', 'retire']) await step(name)
    const { items } = (await ada.call('GET', `/api/activity?agent=${agentId}&limit=100`)).body
    const steps = items
      .map(({ eventType }: { eventType: string }) => eventType)
      .filter((type: string) => /^agent\.(suspended|resumed|retired)$/.test(type))
    expect(steps).to.deep.equal(['agent.retired', 'agent.resumed', 'agent.suspended'])
  })

  it('requires a session of the owner', async () => {
    const eve = await scene.owner()
    for (const name of ['suspend', 'resume', 'retire']) {
      expect(outcome(await step(name, eve))).to.deep.equal([403, 'FORBIDDEN'])
      expect(outcome(await step(name, ada, 'SVC-0000000000000000000009'))).to.deep.equal([404, 'NOT_FOUND'])
      const byKey = await scene.call('POST', `/api/agents/${agentId}/${name}`, { bearer: scene.shop.apiKey })
      expect(outcome(byKey)).to.deep.equal([403, 'SESSION_REQUIRED'])
    }
    expect((await verify()).recommendation).to.equal('grant')
  })
})
