import { expect } from 'chai'
import {
  type AgentKeyRow,
  type AgentKeyStore,
  createAgentKeyStore,
} from '../../../../server/store/agents/agentKeyStore.ts'
import { buildAgentRow } from '../../../builders/buildAgentRow.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

type Trx = Parameters<AgentKeyStore['insert']>[0]

describe('agentKeyStore', () => {
  let database: TemporaryDatabase
  let store: AgentKeyStore
  const write = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction(work)
  const { jwk } = createAgentKey('P-256')

  beforeEach(async () => {
    database = await openTemporaryDatabase()
    store = createAgentKeyStore(database.db.query)
  })
  afterEach(() => database.remove())

  async function add(changes: Partial<AgentKeyRow> & Pick<AgentKeyRow, 'kid'>): Promise<AgentKeyRow> {
    const agentId = changes.agentId ?? 'SVC-1'
    const id = `${agentId} ${changes.kid}`
    const row = { id, agentId, jwk, name: null, createdAt: 1, revokedAt: null, provenAt: null, ...changes }
    await write((trx) => store.insert(trx, row))
    return row
  }
  const kidsOf = async (agentId: string) => (await store.ofAgent(agentId)).map(({ kid }) => kid)

  it('returns what was stored, oldest first, and only of the agent', async () => {
    const first = await add({ kid: 'b', name: 'server', createdAt: 1_700_000_000_000 })
    const second = await add({ kid: 'a', revokedAt: 1_700_000_000_001 })
    await add({ kid: 'a', agentId: 'SVC-2' })
    expect(await store.ofAgent('SVC-1')).to.deep.equal([first, second])
  })

  it('does not store a key of an agent twice', async () => {
    await add({ kid: 'a' })
    expect(await add({ kid: 'a', id: 'other' }).catch(() => 'refused')).to.equal('refused')
  })

  it('revokes an active key once, and no key of another agent', async () => {
    await add({ kid: 'a' })
    await add({ kid: 'a', agentId: 'SVC-2' })
    const revoke = (agentId: string, kid: string, at: number) =>
      write((trx) => store.revoke(trx, { agentId, kid, at }))
    expect(await revoke('SVC-1', 'a', 5)).to.equal(true)
    expect(await revoke('SVC-1', 'a', 6)).to.equal(false)
    expect(await revoke('SVC-1', 'b', 6)).to.equal(false)
    expect((await store.ofAgent('SVC-1'))[0]?.revokedAt).to.equal(5)
    expect((await store.ofAgent('SVC-2'))[0]?.revokedAt).to.equal(null)
  })

  it('reports a key as taken only while an agent of another owner can sign with it', async () => {
    await database.db.query('agents').insert(buildAgentRow('SVC-1', 1))
    await add({ kid: 'a' })
    await add({ kid: 'b', revokedAt: 2 })
    const isTaken = (kid: string, ownerId: string) => write((trx) => store.isTaken(trx, { kid, ownerId }))
    expect(await isTaken('a', 'SVCD-2')).to.equal(true)
    expect(await isTaken('a', 'SVCD-1')).to.equal(false)
    expect(await isTaken('b', 'SVCD-2')).to.equal(false)
    await database.db.query('agents').update({ status: 'retired' })
    expect(await isTaken('a', 'SVCD-2')).to.equal(false)
  })

  it('keeps only the thumbprints of the keys that were revoked first, and lists the others', async () => {
    await add({ kid: 'active' })
    await add({ kid: 'third', revokedAt: 30 })
    await add({ kid: 'first', revokedAt: 10 })
    await add({ kid: 'second', revokedAt: 20 })
    await add({ kid: 'first', revokedAt: 1, agentId: 'SVC-2' })
    await write((trx) => store.forgetRevoked(trx, 'SVC-1', 2))
    expect(await kidsOf('SVC-1')).to.deep.equal(['active', 'third', 'second'])
    expect(await kidsOf('SVC-2')).to.deep.equal(['first'])
    const formerOf = (agentId: string, kid: string) => write((trx) => store.formerOf(trx, { agentId, kid }))
    expect(await formerOf('SVC-1', 'first')).to.deep.equal({ isFormer: true, count: 1 })
    expect(await formerOf('SVC-1', 'second')).to.deep.equal({ isFormer: false, count: 1 })
    expect(await formerOf('SVC-2', 'first')).to.deep.equal({ isFormer: false, count: 0 })
  })
})
