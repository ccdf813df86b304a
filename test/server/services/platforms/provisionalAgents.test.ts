import { isAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { bundledPlatforms } from '@svc/core/platforms/bundledPlatforms.ts'
import { expect } from 'chai'
import { createRandomPool } from '../../../../server/external/randomPool.ts'
import { createProvisionalAgents } from '../../../../server/services/platforms/provisionalAgents.ts'
import { createAgentStore } from '../../../../server/store/agents/agentStore.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')

describe('provisionalAgents', () => {
  let database: TemporaryDatabase
  beforeEach(async () => {
    database = await openTemporaryDatabase()
  })
  afterEach(() => database.remove())

  /** One per process, as in the service. */
  function open() {
    const { db } = database
    const agents = createAgentStore(db.query)
    const records = createAuditRecordStore(db.query)
    return createProvisionalAgents({ db, agents, records, randomBytes: createRandomPool() }).provide
  }
  const stored = () => database.db.query('agents').select('svc_id', 'status', 'owner_id', 'name')
  const recorded = async () => {
    await placeRecords(database.db.query)
    return database.db.query('audit_records').select('event_type', 'agent_id')
  }
  const [platform] = bundledPlatforms.platforms
  if (platform === undefined) throw new Error('no platform is bundled')

  it('are created once, with one record, however many processes see the platform first', async () => {
    const processes = [open(), open(), open()]
    const ids = await Promise.all(
      processes.flatMap((agentOf) => [1, 2, 3].map(async () => agentOf(platform, NOW, false))),
    )
    const [svcId = ''] = ids
    expect(new Set(ids)).to.deep.equal(new Set([svcId]))
    expect(isAgentIdentifier(svcId ?? '')).to.equal(true)
    expect(await stored()).to.deep.equal([
      { svc_id: svcId, status: 'provisional', owner_id: 'SVCO-0000000000000000000000', name: platform.name },
    ])
    expect(await recorded()).to.deep.equal([{ event_type: 'agent.provisioned', agent_id: svcId }])
  })

  it('exist once per platform, also after a restart', async () => {
    const agentOf = open()
    const first = await Promise.all(bundledPlatforms.platforms.map(async (one) => agentOf(one, NOW, false)))
    expect(new Set(first).size).to.equal(bundledPlatforms.platforms.length)
    expect(await open()(platform, NOW, false)).to.equal(first[0])
  })

  it('cost no query after the first request, and are not stored by a dry run', async () => {
    const agentOf = open()
    const named = await agentOf(platform, NOW, true)
    expect(named).to.be.a('string')
    expect(await stored()).to.deep.equal([])
    expect(await agentOf(platform, NOW, false)).to.equal(named)
    expect(agentOf(platform, NOW, false)).to.equal(named)
  })

  it('are retried after a failure', async () => {
    const agentOf = open()
    await database.db.query.schema.renameTable('agents', 'agents_away')
    const failed = await Promise.resolve(agentOf(platform, NOW, false)).then(
      () => false,
      () => true,
    )
    expect(failed).to.equal(true)
    await database.db.query.schema.renameTable('agents_away', 'agents')
    expect(await agentOf(platform, NOW, false)).to.be.a('string')
    expect(await stored()).to.have.length(1)
  })
})
