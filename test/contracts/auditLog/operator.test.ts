import { expect } from 'chai'
import { type Hex, toHex, zeroAddress, zeroHash } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { eventsOf, revertOf } from '../callOutcome.ts'
import { type Chain, openChain } from '../openChain.ts'
import { logIdOf } from './logIdOf.ts'

describe('AuditLog: who operates a log', () => {
  let chain: Chain
  let logId: Hex
  let otherLogId: Hex
  before(async () => {
    chain = await openChain()
    logId = logIdOf(chain.account(0), 'a log')
    otherLogId = logIdOf(chain.account(0), 'another log')
  })
  after(() => chain.close())

  const as = (number: number) => ({ account: chain.account(number) })
  const firstBatch = (id: Hex) => [id, 1n, 0n, 3n, toHex('root', { size: 32 }), []] as const

  /** Deploys a contract with one log, operated by account 0. */
  async function logs() {
    const contract = await chain.deploy(auditLog)
    await contract.write.openLog([logId])
    return contract
  }

  describe('openLog', () => {
    it('makes the caller the operator of an empty log', async () => {
      const contract = await logs()
      const theirs = logIdOf(chain.account(1), 'a log')
      const receipt = await chain.receipt(contract.write.openLog([theirs], as(1)))
      expect(eventsOf(auditLog.abi, receipt)).to.deep.equal([
        ['LogOpened', { logId: theirs, operator: chain.account(1) }],
      ])
      expect(await contract.read.head([theirs])).to.deep.equal([0n, 0n, 0n, zeroHash, chain.account(1)])
    })

    it('leaves an id to the account that it begins with, whoever sees it first', async () => {
      const contract = await logs()
      expect(await revertOf(contract.simulate.openLog([otherLogId], as(1)))).to.deep.equal([
        'NotOpener',
        otherLogId,
        chain.account(1),
        chain.account(0),
      ])
      await contract.write.openLog([otherLogId])
      expect((await contract.read.head([otherLogId]))[4]).to.equal(chain.account(0))
    })

    it('rejects an id that is in use, even from its operator and after a hand-over', async () => {
      const contract = await logs()
      const refusal = (operator: number) => ['LogAlreadyOpen', logId, chain.account(operator)]
      expect(await revertOf(contract.simulate.openLog([logId]))).to.deep.equal(refusal(0))
      await contract.write.transferOperator([logId, chain.account(1)])
      await contract.write.acceptOperator([logId], as(1))
      expect(await revertOf(contract.simulate.openLog([logId]))).to.deep.equal(refusal(1))
      expect((await revertOf(contract.simulate.openLog([logId], as(1))))[0]).to.equal('NotOpener')
    })
  })

  describe('head', () => {
    it('returns zeros for a log that was never opened', async () => {
      const contract = await logs()
      expect(await contract.read.head([otherLogId])).to.deep.equal([0n, 0n, 0n, zeroHash, zeroAddress])
    })
  })

  describe('anchor', () => {
    it('accepts batches from the operator only', async () => {
      const contract = await logs()
      expect(await revertOf(contract.simulate.anchor(firstBatch(logId), as(1)))).to.deep.equal([
        'NotOperator',
        logId,
        chain.account(1),
        chain.account(0),
      ])
    })

    it('rejects a log that was never opened', async () => {
      const contract = await logs()
      expect(await revertOf(contract.simulate.anchor(firstBatch(otherLogId)))).to.deep.equal([
        'NotOperator',
        otherLogId,
        chain.account(0),
        zeroAddress,
      ])
    })
  })

  describe('transfer of a log', () => {
    it("starts with the operator's offer and takes effect on acceptance", async () => {
      const contract = await logs()
      const [operator, newOperator] = [chain.account(0), chain.account(1)]
      const offered = await chain.receipt(contract.write.transferOperator([logId, newOperator]))
      expect(eventsOf(auditLog.abi, offered)).to.deep.equal([
        ['OperatorTransferStarted', { logId, operator, pendingOperator: newOperator }],
      ])
      expect(await contract.read.pendingOperator([logId])).to.equal(newOperator)
      await contract.simulate.anchor(firstBatch(logId), as(0))
      expect((await revertOf(contract.simulate.anchor(firstBatch(logId), as(1))))[0]).to.equal('NotOperator')

      const accepted = await chain.receipt(contract.write.acceptOperator([logId], as(1)))
      expect(eventsOf(auditLog.abi, accepted)).to.deep.equal([
        ['OperatorTransferred', { logId, previousOperator: operator, newOperator }],
      ])
      expect(await contract.read.pendingOperator([logId])).to.equal(zeroAddress)
      await contract.simulate.anchor(firstBatch(logId), as(1))
      expect((await revertOf(contract.simulate.anchor(firstBatch(logId), as(0))))[0]).to.equal('NotOperator')
    })

    it('leaves the head unchanged', async () => {
      const contract = await logs()
      await contract.write.anchor(firstBatch(logId))
      const before = await contract.read.head([logId])
      await contract.write.transferOperator([logId, chain.account(1)])
      await contract.write.acceptOperator([logId], as(1))
      const [batch, size, anchoredAt, root] = before
      expect(await contract.read.head([logId])).to.deep.equal([
        batch,
        size,
        anchoredAt,
        root,
        chain.account(1),
      ])
    })

    it('can be offered by the operator only, not even by the pending operator', async () => {
      const contract = await logs()
      await contract.write.transferOperator([logId, chain.account(1)])
      for (const number of [1, 2]) {
        const call = contract.simulate.transferOperator([logId, chain.account(2)], as(number))
        expect(await revertOf(call)).to.deep.equal([
          'NotOperator',
          logId,
          chain.account(number),
          chain.account(0),
        ])
      }
    })

    it('can be accepted once, and only by the latest account it was offered to', async () => {
      const contract = await logs()
      const accept = (number: number) => contract.simulate.acceptOperator([logId], as(number))
      expect(await revertOf(accept(1))).to.deep.equal([
        'NotPendingOperator',
        logId,
        chain.account(1),
        zeroAddress,
      ])

      await contract.write.transferOperator([logId, chain.account(1)])
      await contract.write.transferOperator([logId, chain.account(2)])
      const refusal = ['NotPendingOperator', logId, chain.account(1), chain.account(2)]
      expect(await revertOf(accept(1))).to.deep.equal(refusal)
      await contract.write.acceptOperator([logId], as(2))
      expect((await revertOf(accept(2)))[0]).to.equal('NotPendingOperator')
    })

    it('is withdrawn by an offer to the zero address', async () => {
      const contract = await logs()
      await contract.write.transferOperator([logId, chain.account(1)])
      await contract.write.transferOperator([logId, zeroAddress])
      expect((await revertOf(contract.simulate.acceptOperator([logId], as(1))))[0]).to.equal(
        'NotPendingOperator',
      )
    })

    it('affects only the log that is offered', async () => {
      const contract = await logs()
      await contract.write.openLog([otherLogId])
      await contract.write.transferOperator([logId, chain.account(1)])
      const call = contract.simulate.acceptOperator([otherLogId], as(1))
      expect((await revertOf(call))[0]).to.equal('NotPendingOperator')
    })
  })
})
