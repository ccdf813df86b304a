import { expect } from 'chai'
import { type AuditChain, openAuditChain } from '../../../cli/audit/openAuditChain.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { openNodeProxy } from '../../harness/chain/openNodeProxy.ts'
import { openOffchainContract } from '../../harness/chain/openOffchainContract.ts'
import { listen } from '../../harness/peers/listen.ts'

const OFFCHAIN = '0x00000000000000000000000000000000000000ab'

describe('openAuditChain', () => {
  let log: AnchoredLog
  let node: Awaited<ReturnType<typeof openNodeProxy>>
  before(async () => {
    log = await openAnchoredLog()
    await log.anchorRecords(7)
    await log.anchorRecords(5)
    node = await openNodeProxy(log.rpcUrl)
  })
  after(async () => {
    node.close()
    await log.close()
  })
  afterEach(() => node.intercept())

  const open = (): Promise<AuditChain> =>
    openAuditChain({ rpc: node.url, contract: log.contract, logId: log.logId })
  const messageOf = () => open().then(String, (error: Error) => error.message)

  it('reads the log at one block, even if another batch is anchored or another node responds meanwhile', async () => {
    const { blockNumber } = await open()
    const last = (await (await open()).batch(2, blockNumber))?.blockNumber ?? 0
    const number = `0x${(last - 1).toString(16)}`
    node.intercept(({ method }) => (method === 'eth_blockNumber' ? { result: number } : 'pass'))
    const chain = await open()
    expect(chain.head).to.include({ batch: 1, size: 7 })
    expect(await chain.batch(chain.head.batch, Number.MAX_SAFE_INTEGER)).to.include({ newSize: 7 })
  })

  it('blames the node, not the contract, for an error of the node', async () => {
    node.intercept(({ method }) => (method === 'eth_call' ? { error: 'header not found' } : 'pass'))
    expect(await messageOf()).to.match(/^The node at .* returned no usable response: /)
  })

  it('rejects a contract that reverts or returns something else than a head', async () => {
    for (const response of [{ error: 'execution reverted' }, { result: '0x' }, { result: '0x01' }]) {
      node.intercept(({ method }) => (method === 'eth_call' ? response : 'pass'))
      expect(await messageOf()).to.match(/^The contract at .* on chain 31337 is not an audit log\.$/)
    }
  })

  it('does not take a batch for missing that the node has forgotten', async () => {
    node.intercept(({ method }) => (method === 'eth_getLogs' ? { result: [] } : 'pass'))
    const chain = await open()
    const failureOf = (found: Promise<unknown>) => found.then(String, (error: Error) => error.message)
    expect(await failureOf(chain.batch(1, 0))).to.match(
      /^The node does not return batch 1 of the log, which has 2\./,
    )
    expect(await failureOf(chain.batchOfSize(8))).to.match(
      /^The node returns 0 batches of the log, which has 2\./,
    )
    expect(await chain.batch(0, 0)).to.equal(null)
    expect(await chain.batch(3, 0)).to.equal(null)
  })

  it('is interrupted by a signal while the node does not respond', async () => {
    const stopping = new AbortController()
    const silent = await listen(async () => stopping.abort())
    try {
      const { contract, logId } = log
      const opening = openAuditChain({ rpc: silent.url, contract, logId, signal: stopping.signal })
      expect(await opening.then(String, (error: Error) => error.message)).to.match(/^The node at /)
    } finally {
      await silent.stop()
    }
  }).timeout(5_000)

  it('fetches no URL that the contract names (EIP-3668)', async () => {
    const contract = await openOffchainContract(log.rpcUrl, OFFCHAIN)
    try {
      const opening = openAuditChain({ rpc: node.url, contract: OFFCHAIN, logId: log.logId })
      expect(await opening.then(String, (error: Error) => error.message)).to.match(/is not an audit log/)
      expect(contract.requests()).to.equal(0)
    } finally {
      await contract.stop()
    }
  })
})
