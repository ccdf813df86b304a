import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import { createSecretBox } from '../../../../server/external/keys/secretBox.ts'
import { createSecretsKeys } from '../../../../server/external/keys/secretsKeys.ts'
import { createSendWebhook } from '../../../../server/external/outbound/sendWebhook.ts'
import { createWebhookSecret } from '../../../../server/services/endpoints/createWebhookSecret.ts'
import { createSharedTransaction } from '../../../../server/services/webhooks/createSharedTransaction.ts'
import { createWebhookDispatcher } from '../../../../server/services/webhooks/createWebhookDispatcher.ts'
import { createEnqueueWebhooks } from '../../../../server/services/webhooks/enqueueWebhooks.ts'
import type { WebhookDeps } from '../../../../server/services/webhooks/webhookDeps.ts'
import { createAlertStore } from '../../../../server/store/approvals/alertStore.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { createEndpointStore } from '../../../../server/store/endpoints/endpointStore.ts'
import { createWebhookDeliveryStore } from '../../../../server/store/endpoints/webhookDeliveryStore.ts'
import { createWebhookStore } from '../../../../server/store/endpoints/webhookStore.ts'
import { createInterventionStore } from '../../../../server/store/operator/interventionStore.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'
import { placeRecords } from '../../../harness/database/placeRecords.ts'
import { listen } from '../../../harness/peers/listen.ts'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string }

/** A receiver that stores what it receives, and responds 200 unless set otherwise. */
export async function openReceiver() {
  const received: Received[] = []
  const mood = { status: 200, headers: {} as Record<string, string>, hangs: false }
  const held: ServerResponse[] = []
  const server = await listen((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk) => chunks.push(chunk))
    req.on('end', () => {
      received.push({ headers: req.headers, body: Buffer.concat(chunks).toString(), path: req.url ?? '' })
      if (mood.hangs) held.push(res)
      else res.writeHead(mood.status, mood.headers).end()
    })
  })
  /** Answers the requests that hang, as it answers others. */
  function release() {
    mood.hangs = false
    for (const res of held.splice(0)) res.writeHead(mood.status, mood.headers).end()
  }
  return { ...server, received, mood, release }
}

/** The outbox of webhooks with its own database and a clock that the test moves. */
export async function openWebhooks(options: { allowPrivate?: boolean } = {}) {
  const database = await openTemporaryDatabase()
  const { db } = database
  const time = { now: Date.UTC(2026, 10, 21) }
  const clock = () => time.now
  const secrets = createSecretBox(createSecretsKeys(new Uint8Array(32).fill(7)))
  const records = createAuditRecordStore(db.query)
  const endpoints = createEndpointStore(db.query)
  const webhooks = createWebhookStore(db.query)
  const deliveries = createWebhookDeliveryStore(db.query)
  const interventions = createInterventionStore(db.query)
  const deps: WebhookDeps = {
    db,
    writeAs: (_writer, changes, work) => db.transaction(work, changes === 'alone' ? undefined : changes),
    inSharedTransaction: createSharedTransaction(db),
    stores: {
      ...{ endpoints, webhooks, deliveries, records },
      alerts: createAlertStore(db.query),
      interventions,
    },
    secrets,
    send: createSendWebhook({ allowPrivate: options.allowPrivate ?? true }),
    onQueued: () => undefined,
    settings: { allowPrivateNetwork: true, clock, randomBytes: (length) => randomBytes(length) },
  }
  const failures: unknown[] = []
  const newDispatcher = () =>
    createWebhookDispatcher({
      ...deps,
      onSettled: () => undefined,
      onFailure: (error) => void failures.push(error),
    })
  const dispatcher = newDispatcher()
  /** Records get their places only now, after whatever the test has changed in the meantime. */
  const newEnqueue = () => {
    const enqueue = createEnqueueWebhooks({ ...deps, logSize: records.size })
    return async (): Promise<number> => {
      await placeRecords(db.query)
      return enqueue()
    }
  }
  let drawn = 0

  return {
    db,
    deps,
    time,
    failures,
    dispatcher,
    newDispatcher,
    enqueue: newEnqueue(),
    newEnqueue,
    /** Creates an endpoint with a webhook at the URL, and returns its secret. */
    async hooked(url: string) {
      drawn += 1
      const id = `01938000-0000-7000-8000-${String(drawn).padStart(12, '0')}`
      const ownerId = `SVCO-${String(drawn).padStart(22, '0')}`
      const { secret, stored } = createWebhookSecret(secrets, id, (length) => randomBytes(length))
      const pdlssSalt = '00'.repeat(16)
      await db.transaction(async (trx) => {
        await endpoints.insert(trx, {
          ...{ id, ownerId, svceId: `SVCE-${String(drawn).padStart(22, '0')}`, name: 'Shop', ...stored },
          ...{ tier: 'self_asserted', status: 'active', counterpartyType: 'api', webhookUrl: null },
          url: `https://shop${drawn}.io/`,
          host: `shop${drawn}.io`,
          trustScoreRequirement: 0,
          unverifiedAgentPolicy: 'deny',
          requiredFacts: [],
          minIdentityProof: 'none',
          authorities: [],
          includeReceipt: false,
          pdlss: {},
          pdlssSalt,
          pdlssHash: hashPdlss(pdlssSalt, {}),
          routes: [],
          createdAt: time.now,
          updatedAt: time.now,
        })
        await webhooks.set(trx, id, url)
      })
      return { id, ownerId, secret }
    },
    /** Records events at an endpoint. */
    record: (endpoint: { id: string; ownerId: string }, count = 1, eventType = 'verification.completed') =>
      db.transaction(async (trx) => {
        for (let nth = 0; nth < count; nth += 1) {
          const fields = { eventType, endpointId: endpoint.id, counterpartyOwnerId: endpoint.ownerId }
          await records.append(trx, buildRecord(fields, time.now))
        }
      }),
    /** Makes all attempts that are due now, including those that become possible through them. */
    async sendAll(): Promise<void> {
      while ((await dispatcher.round()) > 0) await dispatcher.idle()
    },
    /** Suspends an owner. */
    suspend: (subjectId: string) =>
      db.transaction((trx) =>
        interventions.insert(trx, {
          subjectId,
          reason: 'A reason.',
          decidedBy: 'SVCD-a',
          decidedAt: time.now,
        }),
      ),
    resume: (subjectId: string) => db.transaction((trx) => interventions.delete(trx, subjectId)),
    log: async (endpointId: string) =>
      (await deliveries.list(endpointId, { limit: 100, before: null })).items,
    async close() {
      await dispatcher.stop()
      await database.remove()
    },
  }
}
