import { expect } from 'chai'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('the behaviour of a changed agent', () => {
  let scene: OwnerScene
  before(async () => {
    scene = await openOwnerScene()
  })
  after(() => scene?.service.stop())

  it('is not lost by the change, although it is not in the feed yet', async () => {
    await scene.store(`UPDATE endpoints SET tier = 'domain_verified' WHERE svce_id = ?`, scene.svceId)
    const ada = await scene.owner()
    const agentId = await ada.agent()
    // An identity on chain counts too, and arrives at any time.
    await waitUntil(async () => {
      const { agent } = (await ada.call('GET', `/api/agents/${agentId}`)).body
      return agent.blockchainStatus === 'verified' ? true : null
    })
    const ask = async (fields: object = {}) => {
      const { body } = await scene.verify(scene.asking(agentId, { transactionValue: 20, ...fields }))
      return { recommendation: body.recommendation, score: body.agent.trustScore }
    }
    const before = await ask()
    expect((await ask({ resource: '/elsewhere' })).recommendation).to.equal('deny')
    const renamed = await ada.call('PATCH', `/api/agents/${agentId}`, { body: { name: 'Another' } })
    expect(renamed.status).to.equal(200)
    const after = await ask()
    expect(after.score).to.be.within(before.score - 4, before.score - 2)
  })
})
