import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('a runtime challenge', () => {
  let scene: OwnerScene
  let ada: Owner
  let site: Awaited<ReturnType<typeof listen>>
  let challenges = 0

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    site = await listen((_req, res) => {
      challenges += 1
      res.writeHead(500).end()
    })
  })
  after(async () => {
    await scene?.service.stop()
    await site?.stop()
  })

  it('is sent only if nothing else denies the request', async () => {
    const agentId = await ada.agent({ apiEndpoint: site.url, pdlss: { limits: { approvalThreshold: 100 } } })
    const pdlss = { scope: { deniedResources: ['/secret'] } }
    const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { pdlss })
    const verify = async (fields: object) =>
      (await scene.verify({ agentId, counterpartyId, enableRuntimeChallenge: true, ...fields })).body
    for (const denied of [{ resource: '/secret' }, { transactionValue: 100 }, { subAgent: { depth: 1 } }]) {
      const { recommendation, runtimeChallenge } = await verify(denied)
      expect([recommendation, runtimeChallenge], JSON.stringify(denied)).to.deep.equal(['deny', undefined])
    }
    await verify({ resource: '/open', dryRun: true })
    expect(challenges).to.equal(0)
    const { access, runtimeChallenge } = await verify({ resource: '/open' })
    expect(access.failures[0].dimension).to.equal('runtime.challenge')
    expect([runtimeChallenge.passed, challenges]).to.deep.equal([false, 1])
  })
})
