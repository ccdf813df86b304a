import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { agent, endpoint, type Organisation, organisation } from '../../builders/world.ts'
import { api } from '../../harness/api.ts'
import { freePort } from '../../harness/freePort.ts'
import { type SpawnedService, spawnService } from '../../harness/spawnService.ts'

const CONNECTIONS = 64
const KILLS = 3

type Stored = { seq: number; recordId: string; entry: string }

describe('kill -9 under load', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-kill-'))
  let settings: Record<string, string>
  let service: SpawnedService
  let shop: Organisation
  let body: object
  const answered: string[] = []

  before(async () => {
    settings = {
      DATA_DIR: dataDir,
      REGISTRATION_FILES_DIR: join(dataDir, 'registration-files'),
      PORT: String(await freePort()),
      CHAIN_PORT: String(await freePort()),
      VERIFY_RATE_PER_MINUTE: '10000000',
      API_RATE_PER_MINUTE: '100000',
      AUDIT_BATCH_SECONDS: '1',
      LOG_LEVEL: 'warn',
    }
    service = await spawnService(settings)
    shop = await organisation(service.baseUrl)
    const svceId = await endpoint(service.baseUrl, shop.apiKey)
    const { svcId } = await agent(service.baseUrl, {
      pdlss: { limits: { approvalThreshold: 100, currency: 'USD' } },
    })
    body = { agentId: svcId, counterpartyId: svceId, transactionValue: 5, currency: 'USD' }
  })
  after(async () => {
    await service?.end('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Sixty-four clients that ask until the service is gone; every answer is remembered. */
  async function loadUntilGone(onAnswer: () => void): Promise<void> {
    const client = async () => {
      for (;;) {
        try {
          const answer = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
            bearer: shop.apiKey,
            body,
          })
          expect(answer.status).to.equal(200)
          answered.push(answer.body.auditRecordId)
          onAnswer()
        } catch (error) {
          if (error instanceof TypeError) return
          throw error
        }
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, client))
  }

  function stored(): Stored[] {
    const database = new Database(join(dataDir, 'svc.sqlite'), { readonly: true })
    try {
      expect(database.pragma('integrity_check', { simple: true })).to.equal('ok')
      return database
        .prepare('SELECT seq, record_id AS recordId, entry FROM audit_records ORDER BY seq')
        .all() as Stored[]
    } finally {
      database.close()
    }
  }

  for (let round = 1; round <= KILLS; round += 1) {
    it(`loses no answered decision and stores none twice (kill ${round})`, async () => {
      const target = answered.length + 200 * round
      await loadUntilGone(() => {
        if (answered.length === target) service.process.kill('SIGKILL')
      })
      const records = stored()
      const byId = new Map(records.map((record) => [record.recordId, record]))
      expect(byId.size).to.equal(records.length)
      expect(answered.filter((id) => !byId.has(id))).to.deep.equal([])
      for (const [at, record] of records.entries()) {
        expect(record.seq).to.equal(at)
        expect(JSON.parse(record.entry)).to.deep.include({ seq: at, recordId: record.recordId })
      }
      service = await spawnService(settings)
    })
  }

  it('goes on with the log: a record of before and one of after the kills are both proven on the new chain', async () => {
    const after = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body,
    })
    for (const recordId of [answered[0], after.body.auditRecordId]) {
      const proof = await provenRecord(service.baseUrl, recordId)
      expect(proof.leafHash).to.match(/^0x[0-9a-f]{64}$/)
    }
  })

  it('ends in order on SIGTERM', async () => {
    expect(await service.end('SIGTERM')).to.equal(0)
  })
})

async function provenRecord(baseUrl: string, recordId: string | undefined) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { status, body } = await api(baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)
    if (status === 200) return body
    expect([status, body.code]).to.deep.equal([404, 'NOT_ANCHORED_YET'])
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no proof of ${recordId} came`)
}
