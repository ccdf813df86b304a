import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const PATH = '/api/activity/counts'
const HOUR_MS = 60 * MINUTE_MS

type Hours = { start: string; counts: Record<string, number> }[]

describe('GET /api/activity/counts', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openOwnerScene()
    scene.time.now -= (scene.time.now % HOUR_MS) - 10 * MINUTE_MS
    ada = await scene.owner()
    agentId = await ada.agent()
    for (const transactionValue of [20, 20, 150]) await ask(transactionValue)
    scene.time.now += HOUR_MS
    await ask(20)
  })
  after(() => scene?.service.stop())

  const ask = (transactionValue: number) => scene.verify(scene.asking(agentId, { transactionValue }))
  const ofVerifications = (hours: Hours) =>
    hours.map(({ start, counts }) => [
      start,
      Object.fromEntries(Object.entries(counts).filter(([type]) => type.startsWith('verification.'))),
    ])

  it('counts each type in each hour, for both parties', async () => {
    const second = scene.time.now - (scene.time.now % HOUR_MS)
    const [earlier, later] = [second - HOUR_MS, second].map((time) => new Date(time).toISOString())
    for (const { body } of [
      await ada.call('GET', PATH),
      await scene.call('GET', PATH, { bearer: scene.shop.apiKey }),
    ]) {
      expect(body.isComplete).to.equal(true)
      expect(ofVerifications(body.hours)).to.deep.equal([
        [earlier, { 'verification.completed': 2, 'verification.step_up_required': 1 }],
        [later, { 'verification.completed': 1 }],
      ])
    }
  })

  it('counts the current hour and the requested number of hours before it', async () => {
    const { body } = await ada.call('GET', `${PATH}?hours=1`)
    expect(ofVerifications(body.hours).map(([, counts]) => counts)).to.deep.equal([
      { 'verification.completed': 1 },
    ])
    expect(body.since).to.equal(new Date(scene.time.now - (scene.time.now % HOUR_MS)).toISOString())
  })

  it('counts an event once if the caller acts for both parties', async () => {
    const { organizationId } = (await ada.call('POST', '/api/organizations', { body: { name: 'Own' } })).body
    const body = { name: 'key', organizationId }
    const { key } = (await ada.call('POST', '/api/api-keys', { body })).body
    const svceId = await registerEndpoint(scene.baseUrl, key)
    const before = await grants()
    const own = scene.asking(agentId, { counterpartyId: svceId, transactionValue: 20 })
    await scene.call('POST', '/api/agents/verify-access', { bearer: key, body: own })
    expect(await grants()).to.equal(before + 1)
  })

  it('counts no events of others', async () => {
    const eve = await scene.owner()
    expect(ofVerifications((await eve.call('GET', PATH)).body.hours)).to.deep.equal([])
  })

  it('rejects a period that is invalid or too long', async () => {
    for (const hours of ['0', '745', 'x', '1.5']) {
      const { status, body } = await ada.call('GET', `${PATH}?hours=${hours}`)
      expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
    }
  })

  async function grants(): Promise<number> {
    const { body } = await ada.call('GET', PATH)
    const counts = (body.hours as Hours).map((hour) => hour.counts['verification.completed'] ?? 0)
    return counts.reduce((sum, count) => sum + count, 0)
  }
})
