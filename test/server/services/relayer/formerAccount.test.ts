import { expect } from 'chai'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { auditLog } from '../../../../server/chain/artifacts/auditLog.ts'
import { createChainClient, relayerAccountOf } from '../../../../server/chain/chainClient.ts'
import { sendAndWait } from '../../../../server/chain/sendAndWait.ts'
import { relayOnce } from '../../../../server/services/relayer/relayOnce.ts'
import { openScene, type Scene } from './openScene.ts'
import { openStage, type Stage } from './openStage.ts'

const { abi } = auditLog
const FINAL = { confirmations: 1, maxFeePerGas: 10n ** 12n }

describe('relayer whose key was changed during the anchoring of a batch', () => {
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

  it('anchors it with the new key, as operator of the log for which it was made', async () => {
    const account = relayerAccountOf(generatePrivateKey())
    const url = () => stage.node.url
    const chain = createChainClient({ url, account, random: () => 0, attempts: 2 })
    await chain.fundOnLocalChain(10n ** 18n)
    await stage.rpc('evm_setAutomine', [false])
    // The transfer uses this nonce, so the batch has one that is never reached.
    await scene.registerAgent('SVC-a', null, null)
    await relayOnce(await scene.freshRelayer(), scene.deployment)
    await scene.sealBatch(1, 0, 3)
    await relayOnce(await scene.freshRelayer(), scene.deployment)
    const { sender, status } = (await scene.anchorIntent(1)) ?? {}
    expect({ sender, status }).to.deep.equal({ sender: stage.chain.relayerAddress, status: 'sent' })
    const block = (await stage.rpc('eth_getBlockByNumber', ['pending', false])) as { transactions: string[] }
    for (const hash of block.transactions) await stage.rpc('hardhat_dropTransaction', [hash])
    await stage.rpc('evm_setAutomine', [true])

    const { auditLog: to, logId } = scene.deployment
    const offer = { abi, functionName: 'transferOperator', args: [logId, account.address] } as const
    await sendAndWait(stage.chain, { to, data: encodeFunctionData(offer) }, FINAL)
    const accept = { abi, functionName: 'acceptOperator', args: [logId] } as const
    await sendAndWait(chain, { to, data: encodeFunctionData(accept) }, FINAL)
    await stage.rpc('hardhat_setBalance', [stage.chain.relayerAddress, '0x0'])

    const relayer = await scene.freshRelayer('test', chain)
    await scene.sealBatch(2, 3, 5)
    for (let pause = 0; pause < 3; pause += 1) {
      await scene.drain(relayer)
      scene.clock.now += 10_000
    }
    expect((await scene.anchors.byNumber(2))?.status).to.equal('confirmed')
    expect(await chain.auditLog.readHead(to, logId)).to.deep.include({ batch: 2, size: 5 })
  })
})
