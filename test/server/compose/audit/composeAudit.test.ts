import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { composeAudit } from '../../../../server/compose/audit/composeAudit.ts'
import { createKeyRing, type PrivateJwk } from '../../../../server/external/keys/keyRing.ts'
import type { ProjectionRequest } from '../../../../server/services/projection/projectionMessages.ts'
import { createLogStore } from '../../../../server/store/audit/logStore.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

/** A projection that receives all messages and makes no progress. */
const STANDS_STILL = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ kind }) => { if (kind === 'stop') parentPort.close() })
`

describe('composeAudit', () => {
  let database: AuditDatabase

  beforeEach(async () => {
    database = await openAuditDatabase()
  })
  afterEach(() => database.close())

  for (const logs of [1, 2])
    it(`stops while a batch being sealed waits for a stalled feed, with ${logs} log(s)`, async function () {
      // Less than the timeout of a waiting round.
      this.timeout(12_000)
      const { promise: isWaiting, resolve: wait } = Promise.withResolvers<void>()
      const audit = composeAudit({
        checkpointKeys: createKeyRing(createAgentKey().privateJwk as PrivateJwk),
        db: database.db,
        read: (work) => work(database.db.query),
        config: {
          ...database.files,
          databaseUrl: undefined,
          databaseFeatures: 'full' as const,
          publicUrl: 'http://localhost',
          witnesses: [],
          allowPrivateNetwork: true,
          audit: { batchSize: 1, batchSeconds: 1, logs },
        },
        clock: Date.now,
        log: { warn: () => undefined, error: () => undefined },
        logId: async () => `0x${'00'.repeat(32)}`,
        drawLogId: () => `0x${'11'.repeat(32)}`,
        wakeRelayer: () => undefined,
        spawnProjection() {
          const thread = new Worker(STANDS_STILL, { eval: true })
          const post = thread.postMessage.bind(thread)
          thread.postMessage = (request: ProjectionRequest) => {
            post(request)
            if (request.kind === 'catchUp' && request.id > 0) wait()
          }
          return thread
        },
      })
      audit.start()
      // With several logs, nobody knows yet in which of them the record is.
      await waitUntil(async () => ((await createLogStore(database.db.query).count()) === logs ? true : null))
      await database.append([buildNumberedRecord(0)])
      await isWaiting
      await audit.stop()
      const late = await audit.catchUp().catch((error: unknown) => error)
      expect(late).to.have.property('code', 'SERVICE_UNAVAILABLE')
    })
})
