import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { expect } from 'chai'
import { projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { openSqlite } from '../../../../server/store/database/openSqlite.ts'
import type { ProjectionStore } from '../../../../server/store/feed/projectionStore.ts'
import { AGENT_OWNER, buildNumberedRecord, ENDPOINT_OWNER } from '../../../builders/buildNumberedRecord.ts'
import { openProjection, type Projection } from './openProjection.ts'

const AGENT = buildNumberedRecord(0).agentId ?? ''

describe('projectChunk', () => {
  let opened: Projection
  let database: Projection['database']
  let store: Projection['store']
  let rows: Projection['rows']

  beforeEach(async () => {
    opened = await openProjection()
    database = opened.database
    store = opened.store
    rows = opened.rows
  })
  afterEach(() => opened.close())

  it('does nothing for an empty log', async () => {
    expect(projectChunk(store)).to.equal(0)
  })

  it('shows an event to both parties, to a party on both sides once, and to nobody else', async () => {
    await database.append([
      buildNumberedRecord(0),
      buildNumberedRecord(1, { counterpartyOwnerId: AGENT_OWNER }),
      buildNumberedRecord(2, { ownerId: null, agentId: null }),
      buildNumberedRecord(3, { ownerId: null, counterpartyOwnerId: null }),
    ])
    expect(projectChunk(store)).to.equal(4)
    const seen = (await rows('party_events')).map(({ party_id, seq }) => [party_id, seq])
    expect(seen).to.have.deep.members([
      [AGENT_OWNER, 0],
      [ENDPOINT_OWNER, 0],
      [AGENT_OWNER, 1],
      [ENDPOINT_OWNER, 2],
    ])
  })

  it('finds a record by its id and a session by the record that opened it', async () => {
    const sessionId = 'a-session'
    await database.append([
      buildNumberedRecord(0, { sessionId }),
      buildNumberedRecord(1, { sessionId }),
      buildNumberedRecord(2),
    ])
    projectChunk(store)
    expect((await database.records.byRecordId(buildNumberedRecord(1).recordId))?.seq).to.equal(1)
    expect((await database.records.bySessionId(sessionId))?.seq).to.equal(0)
  })

  it('stores the leaf of every entry as written', async () => {
    await database.append([buildNumberedRecord(0), buildNumberedRecord(1)])
    projectChunk(store)
    for (const seq of [0, 1]) {
      const record = await database.records.bySeq(seq)
      expect(store.node({ level: 0, index: seq }, 0)).to.deep.equal(
        Buffer.from(hashLeaf(record?.entry ?? '')),
      )
    }
  })

  it('has the same result in many small steps as in one, without repetitions', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      await database.append([buildNumberedRecord(nth)])
      expect(projectChunk(store)).to.equal(nth + 1)
      expect(projectChunk(store)).to.equal(nth + 1)
    }
    const inSteps = { nodes: await rows('tree_nodes'), behaviour: await rows('agent_behaviour') }
    store.transaction(store.clear)
    projectChunk(store)
    expect({ nodes: await rows('tree_nodes'), behaviour: await rows('agent_behaviour') }).to.deep.equal(
      inSteps,
    )
  })

  it('writes nothing of a chunk that fails in the middle', async () => {
    await database.append([buildNumberedRecord(0), buildNumberedRecord(1)])
    const failing: ProjectionStore = {
      ...store,
      setNextSeq: () => {
        throw new Error('the disk is full')
      },
    }
    expect(() => projectChunk(failing)).to.throw('the disk is full')
    expect(await rows('party_events')).to.deep.equal([])
    expect(await rows('tree_nodes')).to.deep.equal([])
    expect(projectChunk(store)).to.equal(2)
  })

  it('writes nothing of a chunk if the database fails after one row', async () => {
    await database.append([buildNumberedRecord(0), buildNumberedRecord(1)])
    const { eventType, recordedAt, endpointId } = buildNumberedRecord(1)
    const alien = { event_type: eventType, recorded_at: recordedAt, agent_id: AGENT, endpoint_id: endpointId }
    await database.db.query('feed.party_events').insert({ ...alien, party_id: AGENT_OWNER, seq: 1 })
    expect(() => projectChunk(store)).to.throw('UNIQUE')
    expect((await rows('party_events')).map(({ seq }) => seq)).to.deep.equal([1])
    expect(await rows('tree_nodes')).to.deep.equal([])
    expect(store.nextSeq()).to.equal(0)
    await database.db.query('feed.party_events').delete()
    expect(projectChunk(store)).to.equal(2)
  })

  it('never blocks a writer of the log, even in the middle of its transaction', async () => {
    await database.append([buildNumberedRecord(0)])
    const writer = openSqlite(database.files.databaseFile)
    writer.pragma('busy_timeout = 0')
    const watching: ProjectionStore = {
      ...store,
      setNextSeq(seq) {
        writer.prepare('UPDATE audit_records SET seq = seq').run()
        store.setNextSeq(seq)
      },
    }
    expect(projectChunk(watching)).to.equal(1)
    writer.close()
  })

  it('refuses a log with a gap', async () => {
    await database.append([buildNumberedRecord(0), buildNumberedRecord(1), buildNumberedRecord(2)])
    await database.db.query('audit_records').where({ seq: 1 }).delete()
    expect(() => projectChunk(store)).to.throw('goes on with record 2 where 1 is expected')
  })
})
