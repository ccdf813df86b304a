import { encodeHex } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import { startLocalChain } from '../../../server/chain/localChain.ts'
import { intentKey } from '../../../server/services/relayer/intents.ts'
import { createAgentStore } from '../../../server/store/agents/agentStore.ts'
import { createAnchorStore } from '../../../server/store/audit/anchorStore.ts'
import { createBatchStore } from '../../../server/store/audit/batchStore.ts'
import { buildAgentRow } from '../../builders/buildAgentRow.ts'
import { buildNaiveTree } from '../../core/audit/buildNaiveTree.ts'
import { leafAt } from '../../core/audit/buildStoredTree.ts'
import { composeTestChain } from '../../harness/chain/composeTestChain.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../harness/database/openTemporaryDatabase.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'
import { awaitSettled } from './awaitSettled.ts'

const OWNERS = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
] as const

const KEY = `0x${'11'.repeat(32)}`

describe('chain composition', () => {
  let database: TemporaryDatabase
  let port: number
  const told: string[] = []

  const chainPart = (environment: Record<string, string> = {}) =>
    composeTestChain(
      database.db,
      { CHAIN_PORT: String(port), ...environment },
      { onIdentityConfirmed: async (svcId) => void told.push(svcId) },
    )
  const register = async (svcId: string, owner: string, part: ReturnType<typeof chainPart>) => {
    await database.db.transaction(async (trx) => {
      await trx('agents').insert(buildAgentRow(svcId, Date.now()))
      await part.outbox.add(trx, {
        idempotencyKey: intentKey.mint(svcId),
        kind: 'identity.mint',
        payload: { svcId, owner, agentURI: `https://svc.test/${svcId}.json`, metadata: [], consent: null },
        now: Date.now(),
      })
    })
    part.wake()
  }
  const sealBatch = async (
    number: number,
    prevSize: number,
    newSize: number,
    part: ReturnType<typeof chainPart>,
  ) => {
    const tree = buildNaiveTree(leafAt)
    const consistencyProof = prevSize === 0 ? [] : tree.consistency(prevSize, newSize).map(encodeHex)
    const batch = { number, prevSize, newSize, root: encodeHex(tree.root(newSize)), consistencyProof }
    const logId = await part.logId()
    await database.db.transaction(async (trx) => {
      await createBatchStore(database.db.query).add(trx, { ...batch, sealedAt: Date.now() })
      await part.outbox.add(trx, {
        idempotencyKey: intentKey.anchor(logId, number),
        kind: 'audit.anchor',
        payload: { batch: number },
        now: Date.now(),
      })
    })
    part.wake()
  }

  before(async () => {
    database = await openTemporaryDatabase()
    port = await findFreePort()
  })
  after(() => database.remove())

  it('restores a fresh development chain: same contracts, ids, owners, addresses and roots', async () => {
    const agents = createAgentStore(database.db.query)
    const first = chainPart()
    await first.start()
    const before = await first.overview()
    await register('SVC-a', OWNERS[0], first)
    await awaitSettled(first)
    await registerElsewhere(
      port,
      before.contracts.identityRegistry,
      first.client.identity.encodeRegisterEmpty(),
    )
    await register('SVC-b', OWNERS[1], first)
    await sealBatch(1, 0, 5, first)
    await sealBatch(2, 5, 6, first)
    await awaitSettled(first)
    const registry = before.contracts.identityRegistry as `0x${string}`
    const log = before.contracts.auditLog as `0x${string}`
    const logId = before.logId as `0x${string}`
    const head = await first.client.auditLog.readHead(log, logId)
    expect((await agents.bySvcId('SVC-b'))?.chainAgentId).to.equal(3)
    await first.stop()

    const second = chainPart()
    await second.start()
    try {
      expect(await second.overview()).to.deep.equal(before)
      await awaitSettled(second)
      expect(await second.client.auditLog.readHead(log, logId)).to.deep.equal(head)
      for (const [svcId, agentId, owner] of [
        ['SVC-a', 1, OWNERS[0]],
        ['SVC-b', 3, OWNERS[1]],
      ] as const) {
        const agent = await agents.bySvcId(svcId)
        expect(agent).to.deep.include({ blockchainStatus: 'verified', chainAgentId: agentId })
        expect(await second.client.identity.readOwner(registry, BigInt(agentId))).to.equal(owner)
        const receipt = await second.client.readReceipt(agent?.chainTransaction as `0x${string}`)
        expect(receipt && second.client.identity.decodeRegistration(registry, receipt)?.agentId).to.equal(
          BigInt(agentId),
        )
      }
      expect(await createAnchorStore(database.db.query).lastConfirmed()).to.equal(2)
      expect(told).to.deep.equal(['SVC-a', 'SVC-b', 'SVC-a', 'SVC-b'])
      await register('SVC-c', OWNERS[0], second)
      await sealBatch(3, 6, 9, second)
      await awaitSettled(second)
      expect((await agents.bySvcId('SVC-c'))?.chainAgentId).to.equal(4)
      expect((await second.client.auditLog.readHead(log, logId)).batch).to.equal(3)
    } finally {
      await second.stop()
    }
  })

  it('reports a port that is in use', async () => {
    const first = chainPart()
    await first.start()
    try {
      const refusal = await chainPart()
        .start()
        .catch((error: Error) => error.message)
      expect(refusal).to.equal(`Port ${port} is in use: set CHAIN_PORT to another port for the local chain`)
    } finally {
      await first.stop()
    }
  })

  it('rejects a configured chain that lost its contracts, and leaves the database unchanged', async () => {
    const other = await startLocalChain(await findFreePort())
    const configured = chainPart({ RPC_URL: other.url, RELAYER_PRIVATE_KEY: KEY })
    const before = await configured.overview()
    try {
      const refusal = await configured.start().catch((error: Error) => error.message)
      // Two chains that start within the same second have the same genesis block.
      expect(refusal).to.match(
        /^Chain 31337 lost what was anchored there: (it has another genesis block|no identity registry at 0x)/,
      )
      expect(await configured.overview()).to.deep.equal(before)
    } finally {
      await configured.stop()
      await other.stop()
    }
  })

  it('starts while a configured chain is unreachable, and logs it', async () => {
    const configured = chainPart({
      RPC_URL: 'http://127.0.0.1:1',
      RELAYER_PRIVATE_KEY: KEY,
    })
    await configured.start()
    try {
      const status = await configured.relayerStatus()
      expect(status.reachable).to.equal(false)
      const nonce = await configured.ownerNonce(OWNERS[0]).catch((error: { code: string }) => error.code)
      expect(nonce).to.equal('CHAIN_UNAVAILABLE')
    } finally {
      await configured.stop()
    }
  })
})

/** Registers an agent from another account. */
async function registerElsewhere(port: number, registry: string, data: string): Promise<void> {
  const from = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_sendTransaction',
      params: [{ from, to: registry, data }],
    }),
  })
  expect(await response.json()).to.have.property('result')
}
