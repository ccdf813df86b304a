import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { checkProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import { archiveToFile } from '../../../../scripts/archive/archiveToFile.ts'
import { readConfig } from '../../../../server/config.ts'
import { removeOldEvents } from '../../../../server/services/audit/removeOldEvents.ts'
import type { PrunedRecord } from '../../../../server/store/audit/prunePayload.ts'
import type { LoggedRecord } from '../../../../server/store/feed/projectionStore.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type ErasureScene, openErasureScene } from '../erasure/openErasureScene.ts'

const DAY_MS = 24 * 60 * 60_000

describe('EVENT_RETENTION_DAYS', function () {
  this.timeout(180_000)
  let scene: ErasureScene
  let svcId: string
  let old: string
  let young: string
  let was: { proof: object; ids: string[]; cursor: string; entry: string }

  const get = (path: string) => api(scene.current().baseUrl, 'GET', path, { bearer: scene.shop.apiKey })
  const replay = (id: string) =>
    api(scene.current().baseUrl, 'POST', `/api/audit/records/${id}/replay`, { bearer: scene.shop.apiKey })
  const decide = async (): Promise<string> => {
    const fields = { transactionValue: 12, attemptId: randomUUID(), includeReceipt: true }
    const { body } = await scene.verify(scene.asking(svcId, fields))
    expect(body.recommendation).to.equal('grant')
    return body.auditRecordId
  }
  const readProof = (id: string) =>
    waitUntil(async () => {
      const { status, body } = await get(`/api/audit/records/${id}/proof`)
      return status === 200 ? proofDocument.parse(body) : null
    })
  const entryOf = async (id: string) => {
    const rows = await scene
      .current()
      .rows<{ entry: string; inputs: string }>(
        'SELECT entry, inputs FROM audit_records WHERE record_id = ?',
        id,
      )
    return rows[0]
  }
  const find = async (text: string): Promise<string[]> =>
    (await list(`text=${text}&limit=10`)).items.map(({ id }: { id: string }) => id)
  const list = async (query: string) => (await get(`/api/activity?${query}`)).body

  before(async () => {
    scene = await openErasureScene({ EVENT_RETENTION_DAYS: '30' })
    const owner = await scene.owner({ withPasskey: false })
    svcId = await owner.agent({ name: 'Quuxfield buyer' })
    old = await decide()
    scene.time.now += 2_000
    const { leafHash, index } = await readProof(old)
    const page = await list('limit=1')
    expect(await find('orders')).to.deep.equal([old])
    was = {
      proof: { leafHash, index },
      ids: (await list('limit=100')).items.map(({ id }: { id: string }) => id),
      cursor: page.nextCursor,
      entry: (await entryOf(old))?.entry ?? '',
    }
    scene.time.now += 29 * DAY_MS
    young = await decide()
    scene.time.now += 2 * DAY_MS
    await scene.restart()
    await waitUntil(async () => ((await entryOf(old))?.inputs === '' ? true : null))
  })
  after(() => scene.remove())

  it('removes the content of an old event, and leaves the decision and the amount', async () => {
    const { event } = (await get(`/api/audit/records/${old}`)).body.record
    expect(event.eventData).to.include({
      removed: true,
      recommendation: 'grant',
      transactionValue: 12,
      currency: 'USD',
    })
    expect(event.eventData).to.not.have.any.keys('purpose', 'action', 'resource', 'caller', 'endpointName')
    expect(await find('orders')).to.deep.equal([young])
  })

  it('leaves entry, proof and receipt', async () => {
    expect((await entryOf(old))?.entry).to.equal(was.entry)
    const proof = await readProof(old)
    expect(proof).to.include(was.proof)
    expect(checkProofDocument(proof)).to.include({ ok: true })
    const receipt = await waitUntil(async () => {
      const answer = await get(`/api/audit/records/${old}/receipt`)
      return answer.status === 404 ? null : answer
    })
    expect(receipt.status).to.equal(200)
  })

  it('leaves younger events as they are', async () => {
    expect((await replay(young)).body.reproduced).to.equal(true)
  })

  it('says that the decision can no longer be replayed', async () => {
    const gone = await replay(old)
    expect([gone.status, gone.body.code]).to.deep.equal([410, 'GONE'])
    expect(gone.body.detail).to.contain('removed')
  })

  it('lists the events as before, and an earlier cursor continues where it ended', async () => {
    const ids = (await list('limit=100')).items.map(({ id }: { id: string }) => id)
    expect(ids).to.include.members(was.ids)
    const rest = (await list(`limit=100&cursor=${was.cursor}`)).items.map(({ id }: { id: string }) => id)
    expect(rest).to.deep.equal(was.ids.slice(1))
  })

  it('leaves a log that can be archived', async function () {
    if (testedDatabase !== 'sqlite') this.skip()
    const to = join(scene.dataDir, 'archive.jsonl')
    const { now } = scene.time
    const config = readConfig({ DATA_DIR: scene.dataDir })
    // Null until the first batch is final.
    const archive = await waitUntil(() => archiveToFile(config, to, { before: now, now }))
    expect(archive).to.include({ firstSeq: 0 })
  })

  it('is at least 30 days', () => {
    expect(() => readConfig({ EVENT_RETENTION_DAYS: '29' })).to.throw('EVENT_RETENTION_DAYS')
  })

  describe('with a log of four records', () => {
    const record = (seq: number): LoggedRecord => ({
      ...{
        seq,
        recordId: `${seq}`,
        recordedAt: seq,
        eventType: 'agent.updated',
        eventData: '{"agentName":"a","transactionValue":5}',
      },
      ...{ ownerId: null, agentId: null, endpointId: null, counterpartyOwnerId: null, entry: '' },
    })
    let removed: { from: number; to: number; written: string }[] = []
    beforeEach(() => {
      removed = []
    })
    const deps = {
      db: { transaction: <Result>(work: (trx: never) => Promise<Result>) => work(undefined as never) },
      events: {
        nextSeq: async () => 0,
        logSize: async () => 4,
        records: async (from: number, limit: number) => [0, 1, 2, 3].map(record).slice(from, from + limit),
        remove: async (_: unknown, range: { from: number; to: number }, records: readonly PrunedRecord[]) => {
          removed.push({ ...range, written: records.map(({ eventData }) => eventData).join() })
        },
      },
      times: {
        firstSince: async (from: number, to: number, since: number) =>
          [0, 1, 2, 3]
            .slice(from, to)
            .map(record)
            .find(({ recordedAt }) => recordedAt >= since) ?? null,
        nextUntil: async () => [],
      },
      webhooks: { nextPlace: async () => ({ stored: 2, from: 2 }) },
      catchUp: async () => undefined,
      report: () => undefined,
    }
    it('removes nothing that a webhook has yet to send', async () => {
      expect(await removeOldEvents(deps, { before: 4, now: 4 })).to.equal(2)
      const unhooked = { ...deps, webhooks: { nextPlace: async () => null } }
      expect(await removeOldEvents(unhooked, { before: 3, now: 4 })).to.equal(3)
      expect(removed.map(({ from, to }) => [from, to])).to.deep.equal([
        [0, 2],
        [0, 3],
      ])
    })

    it('puts nothing back that an erasure has removed meanwhile', async () => {
      let isErased = false
      const erased = (seq: number) => ({ ...record(seq), eventData: '{"erased":true}' })
      const events = { ...deps.events, records: async () => [0, 1].map(isErased ? erased : record) }
      const catchUp = async () => {
        isErased = true
      }
      await removeOldEvents({ ...deps, events, catchUp }, { before: 4, now: 4 })
      expect(removed[0]?.written).not.to.contain('transactionValue')
      expect(removed[0]?.written).to.contain('"erased":true')
    })
  })
})
