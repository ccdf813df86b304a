import { expect } from 'chai'
import { createPublicClient, custom } from 'viem'
import { readReceipt } from '../../../server/chain/transactions.ts'

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
