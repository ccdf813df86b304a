import { expect } from 'chai'
import { createTestClient, createWalletClient, encodeFunctionData, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { composeTestChain } from '../../harness/chain/composeTestChain.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'

type Hex = `0x${string}`

/** Drawn before ids named the account that opens them. */
const FORMER_ID: Hex = `0x${'5a'.repeat(32)}`

describe('id of the audit log', () => {
  let node: LocalChain
  let database: TemporaryDatabase
  const key = generatePrivateKey()
  const relayer = privateKeyToAccount(key).address

  before(async () => {
    node = await takeChain()
    const client = createTestClient({ mode: 'hardhat', transport: http(node.url) })
    await client.setBalance({ address: relayer, value: 10n ** 21n })
  })
  after(() => node.stop())
  beforeEach(async () => {
    database = await openTemporaryDatabase()
  })
  afterEach(() => database.remove())

  const chainPart = (environment: Record<string, string> = {}) =>
    composeTestChain(database.db, {
      RPC_URL: node.url,
      RELAYER_PRIVATE_KEY: key,
      CONFIRMATIONS: '1',
      ...environment,
    })
  const deploy = async (environment: Record<string, string> = {}) => {
    const part = chainPart(environment)
    await part.deploy()
    const { contracts, logId } = await part.overview()
    const { operator } = await part.client.auditLog.readHead(contracts.auditLog as Hex, logId as Hex)
    return {
      contract: contracts.auditLog as Hex,
      logId: logId as Hex,
      operator,
      installed: await part.logId(),
    }
  }
  const install = (logId: Hex) =>
    database.db.query('installation').insert({ id: 1, log_id: logId, created_at: 0 })

  /** Opens a log from an account of the node and hands it over to the relayer. */
  async function openElsewhere(contract: Hex): Promise<Hex> {
    const client = createWalletClient({ chain: hardhat, transport: http(node.url) }).extend(publicActions)
    const [, other] = await client.getAddresses()
    if (other === undefined) throw new Error('the node has no second account')
    const id: Hex = `${other.toLowerCase() as Hex}${'01'.repeat(12)}`
    for (const data of [
      encodeFunctionData({ abi: auditLog.abi, functionName: 'openLog', args: [id] }),
      encodeFunctionData({ abi: auditLog.abi, functionName: 'transferOperator', args: [id, relayer] }),
    ]) {
      const hash = await client.sendTransaction({ account: other, to: contract, data })
      await client.waitForTransactionReceipt({ hash })
    }
    const owner = createWalletClient({
      account: privateKeyToAccount(key),
      chain: hardhat,
      transport: http(node.url),
    }).extend(publicActions)
    const accepted = encodeFunctionData({ abi: auditLog.abi, functionName: 'acceptOperator', args: [id] })
    await owner.waitForTransactionReceipt({
      hash: await owner.sendTransaction({ to: contract, data: accepted }),
    })
    return id
  }

  it('begins with the account that opens the log, and stays the same', async () => {
    const first = await deploy()
    expect(first.logId).to.match(new RegExp(`^${relayer.toLowerCase()}[0-9a-f]{24}$`))
    expect(first).to.include({ operator: relayer, installed: first.logId })
    expect(await deploy()).to.deep.equal(first)
  })

  it('is replaced if the log is not open yet and the relayer may not open it', async () => {
    await install(FORMER_ID)
    const { logId, operator, installed } = await deploy()
    expect(logId).to.match(new RegExp(`^${relayer.toLowerCase()}`))
    expect({ operator, installed }).to.deep.equal({ operator: relayer, installed: logId })
  })

  it('stays the same if the relayer operates the log, whoever opened it', async () => {
    const { contract } = await deploy()
    await database.remove()
    database = await openTemporaryDatabase()
    const id = await openElsewhere(contract)
    await install(id)
    const expected = { contract, logId: id, operator: relayer, installed: id }
    expect(await deploy({ AUDIT_LOG_ADDRESS: contract })).to.deep.equal(expected)
    expect(await deploy()).to.deep.equal(expected)
  })
})
