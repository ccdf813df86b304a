import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import type { Hex } from '../../server/chain/chainTypes.ts'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { createRpc } from '../harness/chain/createRpc.ts'
import { openLogReader } from '../harness/chain/openLogReader.ts'
import { readRegistrations } from '../harness/chain/readRegistrations.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { api } from '../harness/service/api.ts'
import { type KilledService, serveUntilKilled } from '../harness/service/serveUntilKilled.ts'

const isFull = faultMode === 'full'
const [REGISTRATIONS, RECORDS, KILL_MS] = isFull ? [1_000, 100_000, 6_000] : [8, 500, 3_000]
/** One in this many proofs is checked by the contract itself; all are in the long form. */
const PROVEN_EACH = isFull ? 1 : 10
const BLOCK_MS = 200
/** How far registrations may run ahead of the chain, so that mints and batches alternate. */
const AHEAD_MAX = 40

describe('a relayer that is killed every few seconds', function () {
  this.timeout(isFull ? 3_600_000 : 300_000)
  const folder = createTemporaryFolder()
  const wallets = new Map<string, string>()
  const answered: string[] = []
  let chain: LocalChain
  let mining: NodeJS.Timeout
  let killed: KilledService
  let shop: Organisation
  let svceId: string

  const rows = <Row>(sql: string): Row[] => {
    const database = new Database(join(folder.path, 'svc.sqlite'), { readonly: true })
    try {
      return database.prepare(sql).all() as Row[]
    } finally {
      database.close()
    }
  }
  const isDrained = (): boolean => {
    const [counts] = rows<{ open: number; records: number; sealed: number }>(`SELECT
      (SELECT count(*) FROM relayer_intents WHERE settled_at IS NULL) AS open,
      (SELECT count(*) FROM audit_records) AS records,
      (SELECT max(new_size) FROM audit_batches WHERE status = 'confirmed') AS sealed`)
    return counts !== undefined && counts.open === 0 && counts.records === counts.sealed
  }
  const isAhead = (): boolean => {
    const sql = 'SELECT count(*) AS open FROM relayer_intents WHERE settled_at IS NULL'
    return (rows<{ open: number }>(sql)[0]?.open ?? 0) > AHEAD_MAX
  }
  const ask = (method: string, path: string, options = {}) =>
    killed.ask(() => api(killed.baseUrl, method, path, { bearer: shop.apiKey, ...options }))

  before(async () => {
    chain = await takeChain()
    const rpc = createRpc(chain.url)
    mining = setInterval(() => rpc('hardhat_mine', ['0x1']).catch(() => undefined), BLOCK_MS)
    const settings = {
      DATA_DIR: folder.path,
      REGISTRATION_FILES_DIR: join(folder.path, 'registration-files'),
      PORT: String(await findFreePort()),
      RPC_URL: chain.url,
      RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
      RELAYER_DAILY_BUDGET_ETH: '1000',
      CONFIRMATIONS: '3',
      VERIFY_RATE_PER_MINUTE: '100000000',
      API_RATE_PER_MINUTE: '100000000',
      REGISTRATION_RATE_PER_HOUR: '100000000',
      AUDIT_BATCH_SECONDS: '1',
      LOG_LEVEL: 'error',
    }
    killed = await serveUntilKilled(settings, KILL_MS)
    shop = await killed.ask(() => createOrganisation(killed.baseUrl))
    svceId = await killed.ask(() => registerEndpoint(killed.baseUrl, shop.apiKey))
  })
  after(async () => {
    await (await killed?.spare())?.end('SIGKILL')
    clearInterval(mining)
    await chain?.stop()
    folder.remove()
  })

  /** Registers agents and requests decisions at the pace of the chain, and remembers everything returned. */
  async function load(): Promise<void> {
    const register = async () => {
      while (wallets.size < REGISTRATIONS) {
        while (isAhead()) await pause(200)
        const { svcId, account } = await killed.ask(() => registerAgent(killed.baseUrl))
        wallets.set(svcId, account.address)
      }
    }
    const decide = async () => {
      while (answered.length < RECORDS) {
        if (answered.length * REGISTRATIONS > RECORDS * (wallets.size + 1)) {
          await pause(50)
          continue
        }
        const body = { agentId: [...wallets.keys()][0], counterpartyId: svceId }
        const { status, body: decision } = await ask('POST', '/api/agents/verify-access', { body })
        expect(status).to.be.oneOf([200, 503])
        if (status === 200) answered.push(decision.auditRecordId)
      }
    }
    const clients = [...Array.from({ length: 4 }, register), ...Array.from({ length: 32 }, decide)]
    await Promise.all(clients)
  }

  it('puts everything on chain despite the kills', async () => {
    const start = Date.now()
    await load()
    const loaded = Date.now()
    while (!isDrained()) await pause(200)
    const [loadSeconds, drainSeconds] = [loaded - start, Date.now() - loaded].map((ms) =>
      Math.round(ms / 1000),
    )
    const figures = { kills: killed.kills(), loadSeconds, drainSeconds }
    reportFaultFigure(
      `${wallets.size} registrations, ${answered.length} returned records, ${figures.kills} kills: 0 lost, drained ${figures.drainSeconds} s after a load of ${figures.loadSeconds} s`,
    )
    expect(killed.kills()).to.be.at.least(isFull ? 20 : 2)
    await killed.spare()
  })

  it('loses no returned decision', () => {
    const records = rows<{ id: string; seq: number }>(
      'SELECT record_id AS id, seq FROM audit_records ORDER BY seq',
    )
    const stored = new Set(records.map(({ id }) => id))
    expect(stored.size).to.equal(records.length)
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([])
    const agents = new Set(rows<{ id: string }>('SELECT svc_id AS id FROM agents').map(({ id }) => id))
    expect([...wallets.keys()].filter((svcId) => !agents.has(svcId))).to.deep.equal([])
  })

  it('mints every identity once, to its owner', async () => {
    const { body } = await ask('GET', '/api/chain')
    const minted = await readRegistrations(chain.url, body.contracts.identityRegistry as Hex)
    const agents = rows<{ svcId: string; status: string; agentId: number }>(
      'SELECT svc_id AS svcId, blockchain_status AS status, chain_agent_id AS agentId FROM agents',
    )
    expect(minted.length).to.equal(agents.length)
    expect(new Set(minted.map(({ agentURI }) => agentURI)).size).to.equal(agents.length)
    const byId = new Map(minted.map((token) => [token.agentId, token]))
    for (const { svcId, status, agentId } of agents) {
      expect(status).to.equal('verified')
      const token = byId.get(agentId)
      expect(token?.agentURI).to.contain(svcId)
      const wallet = wallets.get(svcId)
      if (wallet !== undefined) expect(token?.holder).to.equal(wallet)
    }
  })

  it('anchors every batch once, and all records', async () => {
    const { body } = await ask('GET', '/api/chain')
    const log = openLogReader(chain.url, { contract: body.contracts.auditLog, logId: body.logId })
    const sealed = rows<{ number: number; prevSize: number; newSize: number; root: Hex }>(
      'SELECT number, prev_size AS prevSize, new_size AS newSize, root FROM audit_batches ORDER BY number',
    )
    const roots = sealed.map((batch) => ({ ...batch, root: batch.root.replace(/^(0x)?/, '0x') }))
    expect(await log.batches()).to.deep.equal(roots)
    const [count] = rows<{ count: number }>('SELECT count(*) AS count FROM audit_records')
    expect(await log.size()).to.equal(count?.count)
    reportFaultFigure(`${sealed.length} batches of ${count?.count} records, each anchored once`)
  })

  it('serves proofs that the contract accepts', async () => {
    const { body: at } = await ask('GET', '/api/chain')
    const log = openLogReader(chain.url, { contract: at.contracts.auditLog, logId: at.logId })
    const proven = answered.filter((_, index) => index % PROVEN_EACH === 0)
    const wrong: string[] = []
    const queue = [...proven]
    const prove = async () => {
      for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
        const { body: proof } = await ask('GET', `/api/audit/records/${id}/proof`)
        const isTaken = await log.verifyInclusion(proof.leafHash, proof.index, proof.inclusionProof)
        if (!isTaken) wrong.push(id)
      }
    }
    await Promise.all(Array.from({ length: 8 }, prove))
    expect(wrong).to.deep.equal([])
    reportFaultFigure(`${proven.length} proofs, all accepted by the contract`)
  })
})
