import type { Fees } from '@svc/core/fees.ts'
import { expect } from 'chai'
import type { Hex, Receipt, SendResult } from '../../../server/chain/chainTypes.ts'
import {
  type DeploymentJournal,
  type JournalEntry,
  NO_JOURNAL,
} from '../../../server/chain/deploymentJournal.ts'
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

  describe('with a transaction that is not mined in time', () => {
    /** Sends one, of which `afterReplacing` is called with the hashes of both; returns the receipt. */
    async function sendStuck(
      chain: Stage['chain'],
      afterReplacing: (hashes: readonly Hex[]) => Promise<unknown>,
    ): Promise<Receipt> {
      const options = { confirmations: 1, maxFeePerGas: 10n ** 12n, replaceMs: 300 }
      const replaced: JournalEntry[] = []
      const journal: DeploymentJournal = {
        ...NO_JOURNAL,
        async replace(_, entry) {
          replaced.push(entry)
        },
        async renew() {
          const [entry] = replaced.splice(0)
          if (entry) await afterReplacing([...entry.formerHashes, entry.hash])
        },
      }
      await stage.rpc('evm_setAutomine', [false])
      try {
        const call = { to: chain.relayerAddress, data: '0x' } as const
        return await sendAndWait(chain, call, { ...options, journal })
      } finally {
        await stage.rpc('evm_setAutomine', [true])
      }
    }

    it('replaces it at higher fees', async () => {
      const fees: bigint[] = []
      const receipt = await sendStuck(stage.chain, async (hashes) => {
        const { maxFeePerGas } = (await stage.rpc('eth_getTransactionByHash', [hashes.at(-1)])) as Fees
        fees.push(BigInt(maxFeePerGas))
        if (fees.length === 2) await stage.mine(1)
      })
      expect(receipt.succeeded).to.equal(true)
      const [first = 0n, second = 0n] = fees
      expect(second >= (first * 9n) / 8n).to.equal(true)
    })

    it('finds the one that was replaced if that is mined after all', async () => {
      const sent: Hex[] = []
      let former: Hex | undefined
      // The node loses the replacement.
      const chain = {
        ...stage.chain,
        async send(raw: Hex): Promise<SendResult> {
          sent.push(raw)
          return sent.length === 1 ? await stage.chain.send(raw) : { outcome: 'accepted' }
        },
      }
      const receipt = await sendStuck(chain, async ([first]) => {
        former = first
        await stage.mine(1)
      })
      expect(receipt).to.include({ hash: former, succeeded: true })
      expect(sent).to.have.length(2)
    })

    it('is replaced at once when it is resumed and its fees have become too low', async () => {
      const { chain } = stage
      const call = { to: chain.relayerAddress, data: '0x' } as const
      const nonce = await chain.readTransactionCount(chain.relayerAddress)
      const given = { chainId: await chain.readChainId(), nonce, gas: 21_000n }
      const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }
      const stored = {
        ...(await chain.sign(call, { ...given, ...fees })),
        nonce,
        headBlock: 0,
        formerHashes: [],
      }
      let entry: JournalEntry = stored
      const journal: DeploymentJournal = {
        ...NO_JOURNAL,
        find: async () => entry,
        async replace(_, replacement) {
          entry = replacement
        },
      }
      const receipt = await sendAndWait(
        {
          ...chain,
          send: async (raw) => (raw === stored.raw ? { outcome: 'underpriced' } : chain.send(raw)),
        },
        call,
        { confirmations: 1, maxFeePerGas: 10n ** 12n, journal },
      )
      expect(receipt).to.include({ hash: entry.hash, succeeded: true })
      expect(entry.formerHashes).to.deep.equal([stored.hash])
    })
  })
})
