import { expect } from 'chai'
import { toHex, zeroAddress, zeroHash } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import { eventsOf } from '../eventsOf.ts'
import { type Chain, openChain } from '../openChain.ts'
import { refusalOf } from '../refusalOf.ts'

const logId = toHex('a log', { size: 32 })
const otherLogId = toHex('another log', { size: 32 })

describe('AuditLog: who operates a log', () => {
  let chain: Chain
  before(async () => {
    chain = await openChain()
  })
  after(() => chain.close())

  const as = (number: number) => ({ account: chain.account(number) })
  const firstBatch = (id: typeof logId) => [id, 1n, 0n, 3n, toHex('root', { size: 32 }), []] as const

  /** A log of account 0. */
  async function logs() {
    const contract = await chain.deploy(auditLog)
    await contract.write.openLog([logId])
    return contract
  }

  describe('openLog', () => {
    it('makes the caller the operator of an empty log', async () => {
      const contract = await logs()
      const receipt = await chain.receipt(contract.write.openLog([otherLogId], as(1)))
      expect(eventsOf(auditLog.abi, receipt)).to.deep.equal([
        ['LogOpened', { logId: otherLogId, operator: chain.account(1) }],
      ])
      expect(await contract.read.head([otherLogId])).to.deep.equal([0n, 0n, 0n, zeroHash, chain.account(1)])
    })

    it('refuses an id that is taken, also to its operator', async () => {
      const contract = await logs()
      for (const number of [0, 1]) {
        expect(await refusalOf(contract.simulate.openLog([logId], as(number)))).to.deep.equal([
          'LogAlreadyOpen',
          logId,
          chain.account(0),
        ])
      }
    })
  })

  describe('head', () => {
    it('is all zero for a log that was never opened', async () => {
      const contract = await logs()
      expect(await contract.read.head([otherLogId])).to.deep.equal([0n, 0n, 0n, zeroHash, zeroAddress])
    })
  })

  describe('anchor', () => {
    it('is for the operator only', async () => {
      const contract = await logs()
      expect(await refusalOf(contract.simulate.anchor(firstBatch(logId), as(1)))).to.deep.equal([
        'NotOperator',
        logId,
        chain.account(1),
        chain.account(0),
      ])
    })

    it('needs an opened log', async () => {
      const contract = await logs()
      expect(await refusalOf(contract.simulate.anchor(firstBatch(otherLogId)))).to.deep.equal([
        'NotOperator',
        otherLogId,
        chain.account(0),
        zeroAddress,
      ])
    })
  })

  describe('the hand-over', () => {
    it('is offered by the operator and takes effect when accepted', async () => {
      const contract = await logs()
      const [operator, newOperator] = [chain.account(0), chain.account(1)]
      const offered = await chain.receipt(contract.write.transferOperator([logId, newOperator]))
      expect(eventsOf(auditLog.abi, offered)).to.deep.equal([
        ['OperatorTransferStarted', { logId, operator, pendingOperator: newOperator }],
      ])
      expect(await contract.read.pendingOperator([logId])).to.equal(newOperator)
      await contract.simulate.anchor(firstBatch(logId), as(0))
      expect((await refusalOf(contract.simulate.anchor(firstBatch(logId), as(1))))[0]).to.equal('NotOperator')

      const accepted = await chain.receipt(contract.write.acceptOperator([logId], as(1)))
      expect(eventsOf(auditLog.abi, accepted)).to.deep.equal([
        ['OperatorTransferred', { logId, previousOperator: operator, newOperator }],
      ])
      expect(await contract.read.pendingOperator([logId])).to.equal(zeroAddress)
      await contract.simulate.anchor(firstBatch(logId), as(1))
      expect((await refusalOf(contract.simulate.anchor(firstBatch(logId), as(0))))[0]).to.equal('NotOperator')
    })

    it('leaves the head as it was', async () => {
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

    it('is offered by nobody else, the pending operator included', async () => {
      const contract = await logs()
      await contract.write.transferOperator([logId, chain.account(1)])
      for (const number of [1, 2]) {
        const call = contract.simulate.transferOperator([logId, chain.account(2)], as(number))
        expect(await refusalOf(call)).to.deep.equal([
          'NotOperator',
          logId,
          chain.account(number),
          chain.account(0),
        ])
      }
    })

    it('is accepted by the last account it was offered to only, once', async () => {
      const contract = await logs()
      const accept = (number: number) => contract.simulate.acceptOperator([logId], as(number))
      expect(await refusalOf(accept(1))).to.deep.equal([
        'NotPendingOperator',
        logId,
        chain.account(1),
        zeroAddress,
      ])

      await contract.write.transferOperator([logId, chain.account(1)])
      await contract.write.transferOperator([logId, chain.account(2)])
      const refusal = ['NotPendingOperator', logId, chain.account(1), chain.account(2)]
      expect(await refusalOf(accept(1))).to.deep.equal(refusal)
      await contract.write.acceptOperator([logId], as(2))
      expect((await refusalOf(accept(2)))[0]).to.equal('NotPendingOperator')
    })

    it('is withdrawn by an offer to nobody', async () => {
      const contract = await logs()
      await contract.write.transferOperator([logId, chain.account(1)])
      await contract.write.transferOperator([logId, zeroAddress])
      expect((await refusalOf(contract.simulate.acceptOperator([logId], as(1))))[0]).to.equal(
        'NotPendingOperator',
      )
    })

    it('concerns one log', async () => {
      const contract = await logs()
      await contract.write.openLog([otherLogId])
      await contract.write.transferOperator([logId, chain.account(1)])
      const call = contract.simulate.acceptOperator([otherLogId], as(1))
      expect((await refusalOf(call))[0]).to.equal('NotPendingOperator')
    })
  })
})
