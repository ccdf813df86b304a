import { expect } from 'chai'
import { relayerAccountOf } from '../../../server/chain/chainClient.ts'
import type { LocalChain } from '../../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { composeTestChain } from '../../harness/chain/composeTestChain.ts'
import { createRpc } from '../../harness/chain/createRpc.ts'
import { takeChain } from '../../harness/chain/takeChain.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

/** Four contracts, and the opening of the log. */
const TRANSACTIONS = 5
/** Longer than any lease. */
const STALL_MS = 60_000
const account = relayerAccountOf().address

describe('a deployment', () => {
  let node: LocalChain
  let rpc: ReturnType<typeof createRpc>
  let database: TemporaryDatabase
  let miner: NodeJS.Timeout | undefined
  const clock = { now: 1_000_000 }

  beforeEach(async () => {
    node = await takeChain()
    rpc = createRpc(node.url)
    // Its leases follow the clock of the test, and not that of PostgreSQL.
    database = await openTemporaryDatabase('sqlite')
  })
  afterEach(async () => {
    clearInterval(miner)
    await database.remove()
    await node.stop()
  })

  const lines: object[] = []
  const log = { info: (fields: object) => lines.push(fields), warn: () => undefined }
  function part(confirmations = 2) {
    const settings = {
      RPC_URL: node.url,
      RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
      CONFIRMATIONS: String(confirmations),
    }
    const deps = { clock: () => clock.now, log: log as never }
    return composeTestChain(database.db, settings, deps)
  }
  /** A block every 50 ms, which take `blockMs` of the clock. */
  const mine = (blockMs: number) => {
    miner = setInterval(() => {
      clock.now += blockMs
      void rpc('hardhat_mine', ['0x1'])
    }, 50)
  }
  const sent = async () => Number(await rpc('eth_getTransactionCount', [account, 'pending']))
  const mined = async () => Number(await rpc('eth_getTransactionCount', [account, 'latest']))

  it('keeps the lease while it waits for blocks, however long', async function () {
    this.timeout(120_000)
    const before = await mined()
    mine(1_000)
    await part(8).deploy()
    expect(await mined()).to.equal(before + TRANSACTIONS)
    expect((await part().overview()).contracts).to.not.equal(null)
  })

  for (const isMined of [true, false]) {
    const state = isMined ? 'mined but not final' : 'sent but not mined'
    it(`goes on where an interrupted one was, whose transaction is ${state}`, async function () {
      this.timeout(120_000)
      const before = await mined()
      const head = Number(await rpc('eth_blockNumber', []))
      if (!isMined) await rpc('evm_setAutomine', [false])
      const interrupted = part().deploy()
      interrupted.catch(() => undefined)
      await waitUntil(async () => (await sent()) === before + 1)
      // Another process takes over, as after a kill.
      clock.now += STALL_MS
      const resumed = part().deploy()
      await rpc('evm_setAutomine', [true])
      mine(0)
      await resumed
      expect(await interrupted.catch((error: Error) => error.message)).to.match(
        /lease was lost|stop it first/,
      )
      expect(await mined()).to.equal(before + TRANSACTIONS)
      const row = await database.db.query('chain_deployments').select('deployed_block').first()
      expect(Number(row.deployed_block)).to.equal(head)
      expect(await database.db.query('deployment_transactions')).to.deep.equal([])
    })
  }

  it('logs each transaction when it is sent and when it is final', async function () {
    this.timeout(120_000)
    lines.length = 0
    await database.remove()
    database = await openTemporaryDatabase()
    await part(1).deploy()
    const purposes = lines.map((line) => ('purpose' in line ? line.purpose : null)).filter(Boolean)
    expect(purposes).to.have.length(2 * TRANSACTIONS)
    expect(new Set(purposes).size).to.equal(TRANSACTIONS)
  })
})
