import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import { toEventSelector } from 'viem'
import { exportRecords } from '../../../../server/services/audit/exportRecords.ts'
import { BATCH_ANCHORED, readAnchor } from '../../../../web/src/pages/proof/readAnchor.ts'
import { AGENT_OWNER } from '../../../builders/buildNumberedRecord.ts'
import { type AnchoredLog, openAnchoredLog } from '../../../harness/chain/openAnchoredLog.ts'
import { openNodeProxy } from '../../../harness/chain/openNodeProxy.ts'

const OTHER_HASH = `0x${'ab'.repeat(32)}`

describe('readAnchor', () => {
  let log: AnchoredLog
  let node: Awaited<ReturnType<typeof openNodeProxy>>
  let proof: ProofDocument

  before(async () => {
    log = await openAnchoredLog()
    await log.anchorRecords(3)
    const { lines } = await exportRecords(log, { actsFor: new Set([AGENT_OWNER]), from: 0, to: 100 })
    proof = lines[1] as ProofDocument
    await log.anchorRecords(2)
    node = await openNodeProxy(log.rpcUrl)
  })
  beforeEach(() => node.intercept())
  after(async () => {
    node.close()
    await log.close()
  })

  it('knows the event by the hash of its signature', () => {
    const signature = 'event BatchAnchored(bytes32,uint64,uint64,uint64,bytes32)'
    expect(BATCH_ANCHORED).to.equal(toEventSelector(signature))
  })

  it('finds the batch of a proof on the chain, also after the log has grown', async () => {
    const reading = await readAnchor(node.url, proof)
    expect(reading).to.include({ isAnchored: true })
    if (!reading.isAnchored) throw new Error(reading.reason)
    expect(reading.blocksAfter).to.be.above(0)
    expect(reading.time.getTime()).to.be.within(Date.UTC(2020, 0), Date.UTC(2100, 0))
  })

  for (const [what, changes, reason] of [
    ['root', { root: OTHER_HASH }, 'another root or size'],
    ['size', { treeSize: 2 }, 'another root or size'],
    ['log', { logId: OTHER_HASH }, 'did not anchor this batch'],
    ['batch', { batch: 2 }, 'did not anchor this batch'],
    ['contract', { contract: `0x${'cd'.repeat(20)}` }, 'did not anchor this batch'],
    ['transaction', { transactionHash: OTHER_HASH }, 'does not know the transaction'],
    ['block', { blockNumber: 1 }, 'the transaction is in block'],
    ['chain', { chainId: 1 }, 'the node is one of chain 31337, the proof is for chain 1'],
  ] as const) {
    it(`refuses a proof with another ${what}`, async () => {
      const reading = await readAnchor(node.url, { ...proof, ...changes })
      expect(reading.isAnchored ? '' : reading.reason).to.contain(reason)
    })
  }

  it('refuses a transaction that failed', async () => {
    const receipt = { status: '0x0', blockNumber: `0x${proof.blockNumber.toString(16)}`, logs: [] }
    node.intercept(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: receipt } : 'pass'))
    expect(await readAnchor(node.url, proof)).to.deep.equal({
      isAnchored: false,
      reason: 'the transaction failed',
    })
  })

  const failureOf = () =>
    readAnchor(node.url, proof).then(
      () => '',
      (error: Error) => error.message,
    )

  it('throws if the node is behind the block of the batch, which refutes nothing', async () => {
    const newest = { result: `0x${(proof.blockNumber - 1).toString(16)}` }
    const behind = { eth_blockNumber: newest, eth_getTransactionReceipt: { result: null } }
    node.intercept(({ method }) =>
      Object.hasOwn(behind, method) ? behind[method as keyof typeof behind] : 'pass',
    )
    expect(await failureOf()).to.equal('the node does not have the block yet')
  })

  it('throws if the node answers with an error, or not as a node does', async () => {
    node.intercept(() => ({ error: 'out of order' }))
    expect(await failureOf()).to.match(/^the node answered eth_\w+ with an error$/)
    node.intercept(() => ({ status: 429, text: 'slow down' }))
    expect(await failureOf()).to.equal('the node answered with status 429')
  })
})
