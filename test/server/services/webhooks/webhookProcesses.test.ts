import { join } from 'node:path'
import { expect } from 'chai'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../../../harness/runner/findFreePort.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { spawnService } from '../../../harness/service/spawnService.ts'
import { startService } from '../../../harness/service/startService.ts'
import { startTwoProcesses } from '../../../harness/service/startTwoProcesses.ts'
import { hookEndpoint } from './hookEndpoint.ts'
import { openReceiver } from './openWebhooks.ts'

const EVENTS = 40

const traceIdOf = (nth: number) => String(nth + 1).padStart(32, '0')

describe('several processes with webhooks', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>

  beforeEach(async () => {
    receiver = await openReceiver()
  })
  afterEach(() => receiver.stop())

  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'])

  const hooked = (baseUrl: string) => hookEndpoint(baseUrl, receiver.url)

  it('repeat an event under the same id after one was killed during the attempt', async () => {
    const folder = createTemporaryFolder()
    const [port, chainPort] = [await findFreePort(), await findFreePort()]
    receiver.mood.hangs = true
    const dataDir = join(folder.path, 'data')
    const killed = await spawnService({
      ...{ PORT: String(port), CHAIN_PORT: String(chainPort), DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
      REGISTRATION_FILES_DIR: join(folder.path, 'files'),
    })
    try {
      const shop = await hooked(killed.baseUrl)
      const { auditRecordId } = (await shop.verify(killed.baseUrl)).body
      await waitUntil(async () => (receiver.received.length === 1 ? true : null))
      await killed.end('SIGKILL')
      receiver.mood.hangs = false
      const later = () => Date.now() + 60_000
      const service = await startService({ dataDir, clock: later, database: 'sqlite' })
      try {
        await waitUntil(async () => (receiver.received.length === 2 ? true : null))
        expect(ids()).to.deep.equal([auditRecordId, auditRecordId])
        expect(receiver.received[1]?.body).to.equal(receiver.received[0]?.body)
      } finally {
        await service.stop()
      }
    } finally {
      await killed.end('SIGKILL')
      folder.remove()
    }
  })

  it('of one PostgreSQL send each event once, in the trace of its request whichever of them sends it', async function () {
    if (!testsPostgres) this.skip()
    const two = await startTwoProcesses({
      ALLOW_PRIVATE_NETWORK: 'true',
      // Traces go to nobody: what the receiver of the webhook gets shows them.
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    })
    try {
      const [first = '', second = ''] = two.baseUrls
      const shop = await hooked(first)
      const answers = await Promise.all(
        Array.from({ length: EVENTS }, (_, nth) =>
          shop.verify(nth % 2 === 0 ? first : second, {
            traceparent: `00-${traceIdOf(nth)}-${'1'.repeat(16)}-01`,
          }),
        ),
      )
      await waitUntil(async () => (receiver.received.length >= EVENTS ? true : null))
      await waitUntil(async () => {
        const waiting = await two.rows(`SELECT id FROM webhook_deliveries WHERE status = 'pending'`)
        return waiting.length === 0 ? true : null
      })
      expect(ids().sort()).to.deep.equal(answers.map(({ body }) => body.auditRecordId).sort())
      const traces = receiver.received.map(({ headers }) => [
        headers['webhook-id'],
        String(headers.traceparent).split('-')[1],
      ])
      expect(Object.fromEntries(traces)).to.deep.equal(
        Object.fromEntries(answers.map(({ body }, nth) => [body.auditRecordId, traceIdOf(nth)])),
      )
    } finally {
      await two.stop()
    }
  })
})
