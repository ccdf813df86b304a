import { expect } from 'chai'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { createRecordOriginStore } from '../../../../server/store/audit/recordOriginStore.ts'
import { traceTransactions } from '../../../../server/store/database/traceTransactions.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { registerAgent } from '../../../builders/participants.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'
import { startTraceReceiver } from '../../../harness/peers/startTraceReceiver.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'
import { hookEndpoint } from '../../services/webhooks/hookEndpoint.ts'
import { openHookedShop } from '../../services/webhooks/openHookedShop.ts'
import { openReceiver } from '../../services/webhooks/openWebhooks.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACE_PARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

describe('the origin of a record', () => {
  it('leads every attempt to deliver its event to the decision, also after a restart', async () => {
    const [spans, receiver] = [await startTraceReceiver(), await openReceiver()]
    const folder = createTemporaryFolder()
    const options = { dataDir: folder.path, settings: { OTEL_EXPORTER_OTLP_ENDPOINT: spans.url } }
    let service = await startService(options)
    try {
      receiver.mood.status = 500
      const shop = await hookEndpoint(service.baseUrl, receiver.url)
      await shop.verify(service.baseUrl, { traceparent: TRACE_PARENT })
      await waitUntil(async () => receiver.received[0] ?? null)
      await service.stop()
      receiver.mood.status = 200
      service = await startService({ ...options, clock: () => Date.now() + 3_600_000 })
      await waitUntil(async () => receiver.received[1] ?? null)
    } finally {
      await service.stop()
      await receiver.stop()
      await spans.stop()
      folder.remove()
    }
    const inTrace = spans.spans().filter(({ traceId }) => traceId === TRACE_ID)
    const [decision] = inTrace.filter(({ name }) => name === 'decision')
    const deliveries = inTrace.filter(({ name }) => name === 'webhook delivery')
    expect(deliveries.map(({ parentSpanId }) => parentSpanId)).to.deep.equal(
      Array(2).fill(decision?.spanId ?? 'that of the decision'),
    )
    expect(receiver.received.map(({ headers }) => headers.traceparent)).to.deep.equal(
      deliveries.map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`),
    )
  })

  it('is stored neither without tracing nor for a request that is not sampled', async () => {
    const spans = await startTraceReceiver()
    for (const settings of [
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: spans.url, OTEL_TRACES_SAMPLER_ARG: '0' },
    ] as Record<string, string>[]) {
      const scene = await openHookedShop(settings)
      try {
        const { baseUrl } = scene.service
        const { svcId } = await registerAgent(baseUrl)
        const { svceId, set } = await scene.newEndpoint()
        await set()
        const verified = await api(baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: scene.shop.apiKey,
          body: { counterpartyId: svceId, agentId: svcId },
          headers: { traceparent: TRACE_PARENT },
        })
        expect(verified.status).to.equal(200)
        await scene.arrived()
        for (const table of ['record_origins', 'intent_origins']) {
          expect(await scene.service.rows(`SELECT * FROM ${table}`), table).to.deep.equal([])
        }
      } finally {
        await scene.close()
      }
    }
    await spans.stop()
  })

  it('is stored with a use case that records what a webhook delivers, and with no other', async () => {
    const opened = await openTemporaryDatabase()
    const origins = createRecordOriginStore(opened.db.query)
    const records = createAuditRecordStore(opened.db.query)
    const store = async (record: ReturnType<typeof buildRecord>, traceParent: string | null) => {
      const db = traceTransactions(opened.db, () => traceParent)
      await db.transaction((trx) => records.append(trx, record))
      return origins.find(record.recordId)
    }
    try {
      const reused = buildRecord({ eventType: 'verification.reused' })
      expect(await store(reused, TRACE_PARENT)).to.equal(TRACE_PARENT)
      expect(await store(buildRecord(), null)).to.equal(null)
      expect(await store(buildRecord({ eventType: 'agent.updated' }), TRACE_PARENT)).to.equal(null)
      expect(await store(buildRecord({ endpointId: null }), TRACE_PARENT)).to.equal(null)
    } finally {
      await opened.remove()
    }
  })
})
