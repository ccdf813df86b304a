import { expect } from 'chai'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

describe('relayer with a database restored from a backup', () => {
  let stage: Stage
  let scene: Scene

  before(async () => {
    stage = await openStage()
    scene = await openScene(stage)
  })
  after(async () => {
    await scene.close()
    await stage.close()
  })

  it('repeats no mint since the backup, even beyond its first round', async () => {
    const me = stage.chain.relayerAddress
    const ids = Array.from({ length: 20 }, (_, nth) => `SVC-${nth}`)
    for (const svcId of ids) await scene.registerAgent(svcId, null, null)
    const uri = 'https://svc.test/registration-files/SVC-18.json'
    const to = scene.deployment.identityRegistry
    await stage.rpc('eth_sendTransaction', [
      { from: me, to, data: stage.chain.identity.encodeRegister(uri, []) },
    ])
    await scene.drain()
    for (const svcId of ids) {
      expect((await scene.agents.bySvcId(svcId))?.blockchainStatus).to.equal('verified')
      expect(await scene.mintedTimes(svcId, [me]), svcId).to.equal(1)
    }
  })
})
