import { dirname } from 'node:path'
import { checkProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { expect } from 'chai'
import { type ComposedAudit, composeAudit } from '../../../../server/compose/audit/composeAudit.ts'
import { createKeyRing, type PrivateJwk } from '../../../../server/external/keys/keyRing.ts'
import type { Parts } from '../../../../server/routes/routes.ts'
import { routes } from '../../../../server/routes/routes.ts'
import { createAnchorStore } from '../../../../server/store/audit/anchorStore.ts'
import { createBatchStore } from '../../../../server/store/audit/batchStore.ts'
import { createDeploymentStore } from '../../../../server/store/relayer/deploymentStore.ts'
import { AGENT_OWNER, buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { DEPLOYMENT } from '../../../harness/database/openAuditPipeline.ts'
import { api } from '../../../harness/service/api.ts'
import { type Served, serveRoutes } from '../../../harness/service/serveRoutes.ts'

const KEY = `svc_live_${'a'.repeat(32)}`
const hash = `0x${'55'.repeat(32)}`
const { recordId } = buildNumberedRecord(1)

describe('audit routes', () => {
  let database: AuditDatabase
  let audit: ComposedAudit
  let served: Served
  let woken = 0

  before(async () => {
    database = await openAuditDatabase()
    audit = composeAudit({
      checkpointKeys: createKeyRing(createAgentKey().privateJwk as PrivateJwk),
      db: database.db,
      read: (work) => work(database.db.query),
      config: {
        ...{ ...database.files, dataDir: dirname(database.files.databaseFile) },
        databaseUrl: undefined,
        databaseFeatures: 'full' as const,
        publicUrl: 'https://registry.example',
        witnesses: [],
        allowPrivateNetwork: true,
        audit: { batchSize: 3, batchSeconds: 5, logs: 1 },
      },
      clock: () => buildNumberedRecord(0).recordedAt,
      log: { warn: () => undefined, error: () => undefined },
      logId: async () => DEPLOYMENT.logId,
      drawLogId: () => DEPLOYMENT.logId,
      wakeRelayer: () => {
        woken += 1
      },
    })
    audit.start()
    const actsFor = new Set([AGENT_OWNER])
    served = await serveRoutes(routes({ audit: audit.parts } as unknown as Parts), {
      authenticators: {
        apiKey: (key) => ({
          ...{
            kind: 'apiKey',
            keyId: key,
            userId: 'u',
            personId: 'u',
            developerId: AGENT_OWNER,
            organizationId: null,
          },
          actsFor,
          writesFor: actsFor,
          suspendedOrganizations: new Set<string>(),
        }),
      },
    })
  })

  after(async () => {
    await served.stop()
    await audit.stop()
    await database.close()
  })

  const get = (path: string, bearer?: string) =>
    api(served.url, 'GET', path, bearer === undefined ? {} : { bearer })

  it('return a record committed a moment ago: to a party immediately, to others not yet', async () => {
    await database.append([buildNumberedRecord(0), buildNumberedRecord(1)])
    const party = await get(`/api/audit/records/${recordId}`, KEY)
    expect(party.status).to.equal(200)
    expect(party.body.record).to.include({ seq: 1, recordId })
    const stranger = await get(`/api/audit/records/${recordId}`)
    expect(stranger.status).to.equal(404)
    expect(stranger.body.code).to.equal('NOT_ANCHORED_YET')
    expect(stranger.headers.get('retry-after')).to.equal('5')
  })

  it('return 404 for an unknown record', async () => {
    for (const path of ['', '/proof']) {
      const answer = await get(`/api/audit/records/00000000-0000-7000-8000-000000000000${path}`)
      expect([answer.status, answer.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    }
  })

  it('report that nothing is anchored yet, and publish the key immediately', async () => {
    for (const path of [
      '/api/audit/checkpoint',
      '/api/audit/consistency?from=1',
      `/api/audit/records/${recordId}/proof`,
    ]) {
      const answer = await api(served.url, 'GET', path, { headers: { accept: 'text/plain' } })
      expect([answer.status, answer.body.code], path).to.deep.equal([404, 'NOT_ANCHORED_YET'])
      expect(answer.headers.get('retry-after')).to.equal('5')
    }
    const { body } = await get('/api/audit/key')
    expect(body.origin).to.equal(`registry.example/audit/${DEPLOYMENT.logId}`)
    expect(body.verifierKey).to.match(
      /^registry\.example\/audit\/0x[0-9a-f]{64}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/,
    )
  })

  it('show batches as time seals them, and wake the relayer', async () => {
    await database.append([buildNumberedRecord(2), buildNumberedRecord(3)])
    while (woken === 0) await new Promise(setImmediate)
    const list = await get('/api/audit/batches')
    expect(list.body).to.deep.include({ success: true, nextCursor: null, hasMore: false })
    expect(list.body.items).to.have.length(1)
    expect(list.body.items[0]).to.include({ number: 1, prevSize: 0, newSize: 4, status: 'sealed' })
    const one = await get('/api/audit/batches/1')
    expect(one.body.batch).to.deep.equal({ ...list.body.items[0], consistencyProof: [] })
    for (const other of ['2', 'x', '-1']) {
      expect((await get(`/api/audit/batches/${other}`)).body.code).to.equal('NOT_FOUND')
    }
  })

  it('return the proof once the batch is final, also in place of the record', async () => {
    await database.db.transaction(async (trx) => {
      await createDeploymentStore(database.db.query).save(trx, DEPLOYMENT, 0)
      const place = { hash, block: 12, confirmedAt: 1 }
      await createAnchorStore(database.db.query).markConfirmed(trx, 1, place)
    })
    const proof = await get(`/api/audit/records/${recordId}/proof`)
    expect(proof.body).to.include({ success: true, batch: 1, treeSize: 4, blockNumber: 12 })
    expect(checkProofDocument(proofDocument.parse(proof.body))).to.include({ ok: true })
    expect((await get(`/api/audit/records/${recordId}`)).body).to.deep.equal(proof.body)
  })

  it('return the same proof as text to clients that prefer it, under the checkpoint', async () => {
    const textOf = async (path: string, accept: string) => {
      const response = await fetch(served.url + path, { headers: { accept } })
      return {
        type: response.headers.get('content-type'),
        vary: response.headers.get('vary'),
        text: await response.text(),
      }
    }
    const path = `/api/audit/records/${recordId}/proof`
    const checkpoint = await textOf('/api/audit/checkpoint', '*/*')
    expect(checkpoint.type).to.equal('text/plain; charset=utf-8')
    const proof = await textOf(path, 'text/plain, application/json;q=0.5')
    expect(proof).to.include({ type: 'text/plain; charset=utf-8', vary: 'Accept' })
    expect(proof.text)
      .to.match(/^c2sp\.org\/tlog-proof@v1\nextra /)
      .and.to.satisfy((text: string) => text.endsWith(`\n\n${checkpoint.text}`))
    for (const accept of [
      '*/*',
      'application/json',
      'text/plain;q=0.5, application/json',
      'text/html',
      'text/plain;q=0',
    ]) {
      expect((await textOf(path, accept)).type, accept).to.equal('application/json; charset=utf-8')
    }
  })

  it('prove that the log only grew, and reject invalid sizes', async () => {
    const { status, body } = await get('/api/audit/consistency?from=3')
    expect(status).to.equal(200)
    expect(body).to.include({ success: true, fromSize: 3, toSize: 4, logId: DEPLOYMENT.logId })
    expect(body.consistencyProof).to.have.length(3)
    for (const [query, code, pointer] of [
      ['', 400, '/from'],
      ['?from=0', 400, '/from'],
      ['?from=x', 400, '/from'],
      ['?from=1.5', 400, '/from'],
      ['?from=2&to=0', 400, '/to'],
      ['?from=3&to=2', 400, '/from'],
      ['?from=1&to=5', 404, undefined],
      ['?from=5', 404, undefined],
    ] as const) {
      const answer = await get(`/api/audit/consistency${query}`)
      expect([answer.status, answer.body.errors?.[0].pointer], query).to.deep.equal([code, pointer])
    }
  })

  it('export JSON Lines to the parties only', async () => {
    const response = await fetch(`${served.url}/api/audit/export?from=1&to=2`, {
      headers: { authorization: `Bearer ${KEY}` },
    })
    expect(response.headers.get('content-type')).to.equal('application/jsonl; charset=utf-8')
    expect(response.headers.get('link')).to.equal(null)
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).seq)).to.deep.equal([1, 2])
    expect((await get('/api/audit/export')).status).to.equal(401)
    for (const [query, pointer] of [
      ['?from=-1', '/from'],
      ['?from=2&to=1', '/from'],
      ['?from=', '/from'],
      ['?from=0&to=', '/to'],
      ['?to=%202', '/to'],
      ['?to=2%0d%0a', '/to'],
      ['?to=0x2', '/to'],
      ['?to=9007199254740992', '/to'],
    ] as const) {
      const { status, body } = await get(`/api/audit/export${query}`, KEY)
      expect([status, body.errors?.[0].pointer], query).to.deep.equal([400, pointer])
    }
  })

  it('page through batches, each once, newest first', async () => {
    await database.db.transaction(async (trx) => {
      const batches = createBatchStore(database.db.query)
      for (let number = 2; number <= 7; number += 1) {
        const sizes = { prevSize: number + 2, newSize: number + 3 }
        await batches.add(trx, {
          number,
          ...sizes,
          root: DEPLOYMENT.logId,
          consistencyProof: [],
          sealedAt: 0,
        })
      }
    })
    const seen: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`/api/audit/batches?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.body.items.map(({ number }: { number: number }) => number))
      expect(page.body.hasMore).to.equal(page.body.nextCursor !== null)
      cursor = page.body.nextCursor
    }
    expect(seen).to.deep.equal([7, 6, 5, 4, 3, 2, 1])
  })

  it('report the health of the queue', async () => {
    expect(await audit.check()).to.deep.include({ status: 'pass' })
  })
})
