import { expect } from 'chai'
import { type AuditChain, openAuditChain } from '../../../scripts/audit/openAuditChain.ts'
import { type AnchoredLog, openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { openNodeProxy } from '../../harness/chain/openNodeProxy.ts'

describe('the chain as the auditor sees it', () => {
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
  const faultOf = () => open().then(String, (error: Error) => error.message)

  it('is that of one block, though a batch is anchored while it is asked, or the next answer is another node’s', async () => {
    const { blockNumber } = await open()
    const last = (await (await open()).batch(2, blockNumber))?.blockNumber ?? 0
    const number = `0x${(last - 1).toString(16)}`
    node.intercept(({ method }) => (method === 'eth_blockNumber' ? { result: number } : 'pass'))
    const chain = await open()
    expect(chain.head).to.include({ batch: 1, size: 7 })
    expect(await chain.batch(chain.head.batch, Number.MAX_SAFE_INTEGER)).to.include({ newSize: 7 })
  })

  it('is not there when the node says so, which tells nothing of the contract', async () => {
    node.intercept(({ method }) => (method === 'eth_call' ? { error: 'header not found' } : 'pass'))
    expect(await faultOf()).to.match(/^The chain at .* gave no usable answer: /)
  })

  it('is of no audit log when the contract refuses to answer, or answers something else', async () => {
    for (const deed of [{ error: 'execution reverted' }, { result: '0x' }, { result: '0x01' }]) {
      node.intercept(({ method }) => (method === 'eth_call' ? deed : 'pass'))
      expect(await faultOf()).to.match(/^The contract at .* on chain 31337 is no audit log\.$/)
    }
  })
})
