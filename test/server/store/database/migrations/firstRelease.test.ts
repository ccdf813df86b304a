import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkProofDocument } from '@svc/core/audit/proofDocument.ts'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { api } from '../../../../harness/service/api.ts'
import { runScript } from '../../../../harness/service/runScript.ts'
import { type StartedService, startService } from '../../../../harness/service/startService.ts'

const FIXTURE = join(import.meta.dirname, '../../../../fixtures/firstRelease')

type Decision = {
  request: { agentId?: string }
  status: number
  recommendation: string
  auditRecordId: string
}

/** Responses of the first release over this data. */
const expected = JSON.parse(readFileSync(join(FIXTURE, 'expected.json'), 'utf8')) as {
  person: { email: string; password: string }
  apiKey: string
  endpointId: string
  agents: string[]
  decisions: Decision[]
  proofs: { auditRecordId: string; index: number; entry: string; leafHash: string }[]
}

/** The first release supported SQLite only. */
describe('a database of the first release', () => {
  const folder = createTemporaryFolder()
  let service: StartedService
  let sealedThen: { number: number; new_size: number; root: string }[]
  before(async () => {
    cpSync(join(FIXTURE, 'data'), folder.path, { recursive: true })
    const file = new Database(join(folder.path, 'svc.sqlite'))
    file.pragma('foreign_keys = OFF')
    file.exec(readFileSync(join(FIXTURE, 'svc.sql'), 'utf8'))
    sealedThen = file.prepare('SELECT number, new_size, root FROM audit_batches ORDER BY number').all() as []
    file.close()
    service = await startService({ dataDir: folder.path, database: 'sqlite' })
  })
  after(async () => {
    await service?.stop()
    folder.remove()
  })

  const ask = (method: string, path: string, body?: object) =>
    api(service.baseUrl, method, path, { bearer: expected.apiKey, ...(body ? { body } : {}) })
  const proofOf = (recordId: string) =>
    waitUntil(async () => {
      const { status, body } = await ask('GET', `/api/audit/records/${recordId}/proof`)
      return status === 200 ? body : null
    })

  it('keeps every record at its sequence number, byte for byte, under its sealed roots', async () => {
    for (const { auditRecordId, index, entry, leafHash } of expected.proofs) {
      expect(await proofOf(auditRecordId)).to.deep.include({ index, entry, leafHash })
    }
    const sql = 'SELECT number, new_size, root FROM audit_batches WHERE number <= ? ORDER BY number'
    expect(await service.rows(sql, sealedThen.length)).to.deep.equal(sealedThen)
  })

  it('proves its records to the auditor’s tool', async () => {
    for (const { auditRecordId } of expected.proofs.slice(-2)) {
      const proof = await proofOf(auditRecordId)
      const file = join(folder.path, 'proof.json')
      writeFileSync(file, JSON.stringify(proof))
      const { rpcUrl } = service
      const words = ['--rpc', rpcUrl, '--log', proof.logId, '--contract', proof.contract, '--record', file]
      expect((await runScript('verifyAudit.ts', words)).stdout).to.include('PROVEN.')
    }
  })

  it('accepts its passwords, keys and identifiers', async () => {
    const { email, password } = expected.person
    const login = await api(service.baseUrl, 'POST', '/api/auth/login', { body: { email, password } })
    expect(login.status).to.equal(200)
    expect((await ask('GET', `/api/endpoints/${expected.endpointId}`)).status).to.equal(200)
    for (const svcId of expected.agents) {
      const agent = await waitUntil(async () => {
        const { body } = await ask('GET', `/api/agents/${svcId}`)
        return body.agent.blockchainStatus === 'verified' ? body.agent : null
      })
      expect(agent).to.include({ svcId, agentStatus: 'active' })
      const file = await fetch(`${service.baseUrl}/registration-files/${svcId}.json`)
      expect(file.status).to.equal(200)
    }
  })

  it('makes the same decisions, and shows earlier ones', async () => {
    for (const { request, status, recommendation } of expected.decisions) {
      const body = { counterpartyId: expected.endpointId, ...request, dryRun: true }
      const answer = await ask('POST', '/api/agents/verify-access', body)
      const asked = JSON.stringify(request)
      expect([answer.status, answer.body.recommendation], asked).to.deep.equal([status, recommendation])
    }
    const activity = await ask('GET', '/api/activity?limit=100')
    const shown = new Set(activity.body.items.map(({ id }: { id: string }) => id))
    expect(expected.decisions.filter(({ auditRecordId }) => !shown.has(auditRecordId))).to.deep.equal([])
  })

  it('continues its log with entries that do not contain their place, and proves both', async () => {
    const body = { counterpartyId: expected.endpointId, agentId: expected.agents[0] }
    const { auditRecordId } = (await ask('POST', '/api/agents/verify-access', body)).body
    const proof = await proofOf(auditRecordId)
    expect(proof.index).to.be.at.least(sealedThen.at(-1)?.new_size ?? 0)
    const old = await proofOf(expected.proofs[0]?.auditRecordId ?? '')
    expect(old.logId).to.equal(proof.logId)
    const versions = [old, proof].map(
      ({ entry }) => JSON.parse(Buffer.from(entry, 'base64').toString()).version,
    )
    expect(versions).to.deep.equal([1, 2])
    for (const document of [old, proof]) expect(checkProofDocument(document).ok).to.equal(true)
  })
})
