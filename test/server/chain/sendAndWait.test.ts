import { expect } from 'chai'
import { sendAndWait } from '../../../server/chain/sendAndWait.ts'
import { ApiError } from '../../../server/errors.ts'
import { openStage, type Stage } from '../services/relayer/openStage.ts'

describe('sendAndWait', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())

  it('fails at once when another transaction of the account is pending at a higher price', async () => {
    const { chain } = stage
    await stage.rpc('evm_setAutomine', [false])
    const nonce = await chain.readTransactionCount(chain.relayerAddress)
    const call = { to: chain.relayerAddress, data: '0x' } as const
    const { raw, hash } = await chain.sign(call, {
      chainId: await chain.readChainId(),
      nonce,
      gas: 21_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 11n,
    })
    expect((await chain.send(raw)).outcome).to.equal('accepted')
    const refused = await sendAndWait(chain, call, { confirmations: 1, maxFeePerGas: 10n ** 12n }).catch(
      (error: unknown) => error,
    )
    expect(refused).to.be.instanceOf(ApiError)
    expect(refused).to.include({
      code: 'CHAIN_UNAVAILABLE',
      detail: `another transaction of ${chain.relayerAddress} with nonce ${nonce} is pending, or the fees are too low`,
    })
    await stage.mine(1)
    expect((await chain.readReceipt(hash))?.succeeded).to.equal(true)
    await stage.rpc('evm_setAutomine', [true])
    const receipt = await sendAndWait(chain, call, { confirmations: 1, maxFeePerGas: 10n ** 12n })
    expect(receipt.succeeded).to.equal(true)
  })
})
