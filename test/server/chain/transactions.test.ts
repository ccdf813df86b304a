import { expect } from 'chai'
import { createPublicClient, custom } from 'viem'
import { readReceipt, sendRaw } from '../../../server/chain/transactions.ts'

const HASH = `0x${'1a'.repeat(32)}` as const

const RECEIPT = {
  ...{
    transactionHash: HASH,
    blockHash: `0x${'2b'.repeat(32)}`,
    blockNumber: '0x5',
    transactionIndex: '0x0',
  },
  ...{
    from: `0x${'3c'.repeat(20)}`,
    to: null,
    contractAddress: null,
    logs: [],
    logsBloom: '0x',
    type: '0x2',
  },
  ...{ status: '0x1', gasUsed: '0x64', cumulativeGasUsed: '0x64', effectiveGasPrice: '0x3' },
}

const read = (members: object) =>
  readReceipt(
    createPublicClient({ transport: custom({ request: async () => ({ ...RECEIPT, ...members }) }) }),
    HASH,
  )

describe('the cost of a transaction', () => {
  it('is its gas', async () => {
    expect((await read({}))?.cost).to.equal(300n)
  })

  it('includes what a rollup charges for its data', async () => {
    expect((await read({ l1Fee: '0x7d0' }))?.cost).to.equal(2_300n)
  })

  it('is its gas where a node returns something else as that', async () => {
    for (const l1Fee of [null, 'much', {}, '0xzz']) expect((await read({ l1Fee }))?.cost).to.equal(300n)
  })
})

describe('the reply of a node to a transaction', () => {
  const outcomeOf = async (message: string) => {
    const request = async ({ method }: { method: string }) => {
      if (method === 'eth_getTransactionByHash') return null
      throw { code: -32000, message }
    }
    return (await sendRaw(createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }), '0x02'))
      .outcome
  }
  const REPLIES = {
    underpriced: [
      'transaction underpriced',
      'replacement transaction underpriced',
      'transaction gas price below minimum: gas tip cap 1, minimum needed 25000000000',
      'max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 7',
      'max priority fee per gas lower than required',
      'Gas price below configured minimum gas price',
      'Gas price below current base fee',
      'FeeTooLow, EffectivePriorityFeePerGas too low 1 < 5, BaseFee: 7',
      'tip too low to be included',
      'fee too low',
      'ReplacementNotAllowed',
      'gasprice is less than gas price minimum',
    ],
    insufficientFunds: [
      'insufficient funds for gas * price + value: have 0 want 7',
      'InsufficientFunds, Account balance: 0, cumulative cost: 7',
      'Upfront cost exceeds account balance',
    ],
    nonceTooLow: ['nonce too low: next nonce 5, tx nonce 4', 'OldNonce'],
    nonceTooHigh: ['nonce too high', 'NonceGap, Future nonce. Expected nonce: 4'],
    known: ['already known', 'Known transaction'],
    rejected: [
      'intrinsic gas too low: gas 100, minimum needed 21000',
      'exceeds block gas limit',
      'tx fee (1.50 ether) exceeds the configured cap (1.00 ether)',
      'transaction type not supported',
      'sender is not allowed',
      'unknown transaction type',
    ],
  }
  for (const [outcome, messages] of Object.entries(REPLIES))
    it(`is “${outcome}” in the words of common nodes`, async () => {
      for (const message of messages) expect(await outcomeOf(message), message).to.equal(outcome)
    })
})
