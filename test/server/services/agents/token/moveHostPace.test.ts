import { expect } from 'chai'
import { createMoveHost } from '../../../../../server/services/agents/token/moveHost.ts'
import { createAgentStore } from '../../../../../server/store/agents/agentStore.ts'
import { createAuditRecordStore } from '../../../../../server/store/audit/auditRecordStore.ts'
import { createDeploymentStore } from '../../../../../server/store/relayer/deploymentStore.ts'
import { createOutboxStore } from '../../../../../server/store/relayer/outboxStore.ts'
import { buildAgentRow } from '../../../../builders/buildAgentRow.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../../harness/database/openTemporaryDatabase.ts'

const LOG_ID = `0x${'44'.repeat(32)}` as const

describe('moving many agents to another URL', () => {
  let database: TemporaryDatabase
  let synced: string[]
  let published: string[]

  beforeEach(async () => {
    database = await openTemporaryDatabase()
    synced = []
    published = []
    await createDeploymentStore(database.db.query).logId(LOG_ID, 0)
    const rows = Array.from({ length: 450 }, (_, i) => ({
      ...buildAgentRow(`SVC-${i}`, 1),
      registration_file_hash: i === 0 ? null : 'old',
    }))
    await database.db.query.batchInsert('agents', rows, 20)
  })
  afterEach(() => database.remove())

  const mover = (publicUrl: string, { isRelayer = true, failAt = -1 } = {}) => {
    const { db } = database
    return createMoveHost(
      {
        db,
        agents: createAgentStore(db.query),
        records: createAuditRecordStore(db.query),
        outbox: createOutboxStore(db.query),
        deployments: createDeploymentStore(db.query),
        settings: {
          publicUrl,
          allowPrivateNetwork: true,
          clock: () => 2,
          randomBytes: (length) => new Uint8Array(length),
        },
        publishFile: async (svcId) => {
          published.push(svcId)
        },
      },
      {
        isRelayer: async () => isRelayer,
        syncTokenUri: async (svcId) => {
          if (synced.length === failAt) throw new Error('the chain is away')
          synced.push(svcId)
        },
      },
    )
  }
  const queue = (count: number) => {
    const { db } = database
    const outbox = createOutboxStore(db.query)
    return db.transaction(async (trx) => {
      for (let i = 0; i < count; i += 1) {
        await outbox.add(trx, { idempotencyKey: `x${i}`, kind: 'nonce.fill', payload: {}, now: 1 })
      }
    })
  }

  it('processes one page per round, each agent once, and stores that it is done', async () => {
    const round = mover('https://a.svc.test')
    expect([await round(), await round(), await round(), await round()]).to.deep.equal([200, 200, 50, 0])
    expect(new Set(synced).size).to.equal(450)
    expect(synced.length).to.equal(450)
    expect(await mover('https://a.svc.test')()).to.equal(0)
    expect(synced.length).to.equal(450)
    expect(await mover('https://b.svc.test')()).to.equal(200)
  })

  it('rewrites the files once that an earlier release wrote for the same URL', async () => {
    const { db } = database
    const deployments = createDeploymentStore(db.query)
    await db.transaction((trx) => deployments.setServedUrl(trx, 'https://a.svc.test'))
    const round = mover('https://a.svc.test')
    while ((await round()) > 0);
    expect(published.length).to.equal(449)
    expect(await mover('https://a.svc.test')()).to.equal(0)
  })

  it('writes no file for an agent without one', async () => {
    const round = mover('https://a.svc.test')
    while ((await round()) > 0);
    expect(published.length).to.equal(449)
    expect(published).not.to.include('SVC-0')
  })

  it('waits while the outbox is full', async () => {
    await queue(401)
    const round = mover('https://a.svc.test')
    expect(await round()).to.equal(0)
    expect(synced).to.deep.equal([])
    await database.db.query('relayer_intents').update({ settled_at: 1 })
    expect(await round()).to.equal(200)
  })

  it('waits in a process that is not the relayer', async () => {
    expect(await mover('https://a.svc.test', { isRelayer: false })()).to.equal(0)
  })

  it('reaches every agent despite failures and kills', async () => {
    const round = mover('https://a.svc.test', { failAt: 250 })
    await round()
    const failed = await round().catch((error: Error) => error.message)
    expect(failed).to.equal('the chain is away')
    const again = mover('https://a.svc.test')
    while ((await again()) > 0);
    expect(new Set(synced).size).to.equal(450)
  })
})
