import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { archiveToFile } from '../../../../scripts/archive/archiveToFile.ts'
import { readConfig } from '../../../../server/config.ts'
import { createAgentProver } from '../../../builders/createAgentProver.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { createMigratedDatabase, type PostgresDatabase } from '../../../harness/database/postgres.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { runScript } from '../../../harness/service/runScript.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const PURPOSE = 'canarypurpose:buy'

type Row = { seq: number; event_data: string; inputs: string; inputs_salt: string; entry: string }
type Settings = Record<string, string>

describe('archiving', function () {
  this.timeout(120_000)
  const folder = createTemporaryFolder()
  let database: PostgresDatabase | undefined
  let settings: Settings
  let service: StartedService
  let shop: Organisation
  let ask: { counterpartyId: string; agentId: string; purpose: string }
  const [old, young]: [string[], string[]] = [[], []]
  let rowsBefore: Row[]
  let proofBefore: { index: number; entry: string; leafHash: string }
  let activityBefore: number
  let scoreBefore: number
  /** That of the first record. */
  let receipt: string
  let last: number
  let prover: ReturnType<typeof createAgentProver>
  const file = join(folder.path, 'archive.jsonl')

  const start = async () => {
    service = await startService({ settings, dataDir: folder.path })
  }
  const get = (path: string) => api(service.baseUrl, 'GET', path, { bearer: shop.apiKey })
  const decide = async (fields: object = {}) =>
    api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: await prover.prove({ ...ask, ...fields }),
    })
  const proofOf = (recordId: string | undefined) =>
    waitUntil(async () => {
      const { status, body } = await get(`/api/audit/records/${recordId}/proof`)
      return status === 200 ? body : null
    })
  const replay = (recordId: string | undefined) =>
    api(service.baseUrl, 'POST', `/api/audit/records/${recordId}/replay`, { bearer: shop.apiKey })
  const rows = () =>
    service.rows<Row>('SELECT seq, event_data, inputs, inputs_salt, entry FROM audit_records ORDER BY seq')
  const archive = (to: string, before: number, ...more: [Parameters<typeof archiveToFile>[3]?]) =>
    archiveToFile(
      readConfig({ ...settings, DATA_DIR: folder.path }),
      to,
      { before, now: Date.now() },
      ...more,
    )
  /** The record of the agent’s registration file, once its identity is final. */
  const score = () =>
    waitUntil(async () => {
      const { agent: asked } = (await get(`/api/agents/${ask.agentId}`)).body
      return asked.blockchainStatus === 'verified' ? (asked.trustScore as number) : null
    })

  before(async () => {
    database = testedDatabase === 'postgres' ? await createMigratedDatabase() : undefined
    const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
    settings = database ? { DATABASE_URL: database.url, SECRETS_KEY } : {}
    await start()
    shop = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const { svcId: agentId, account } = await registerAgent(service.baseUrl)
    prover = createAgentProver(service.baseUrl, Date.now)
    prover.add(agentId, account)
    ask = { counterpartyId, agentId, purpose: PURPOSE }
    await score()
    const { body: withReceipt } = await decide({ includeReceipt: true })
    receipt = withReceipt.receipt
    old.push(withReceipt.auditRecordId)
    for (let nth = 0; nth < 4; nth += 1) old.push((await decide()).body.auditRecordId)
    // Some readers treat this character as a line break.
    old.push((await decide({ agentId: undefined, resource: '/shop/\u2028item' })).body.auditRecordId)
    await proofOf(old.at(-1))
    const cut = Date.now() + 1
    await waitUntil(async () => (Date.now() > cut ? true : null))
    for (let nth = 0; nth < 3; nth += 1) young.push((await decide()).body.auditRecordId)
    proofBefore = await proofOf(old[0])
    await proofOf(young.at(-1))
    scoreBefore = await score()
    rowsBefore = await rows()
    activityBefore = (await get('/api/activity?limit=100')).body.items.length
    expect((await replay(old[0])).body.reproduced).to.equal(true)
    const stopped = await archive(file, cut, interruptedBefore(2)).catch((error: Error) => error)
    expect(stopped).to.be.an('error').with.property('message', 'killed')
    last = (await service.rows<{ last_seq: number }>('SELECT last_seq FROM audit_archives'))[0]?.last_seq ?? 0
    expect(await archive(join(folder.path, 'none.jsonl'), cut)).to.equal(null)
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
    folder.remove()
  })

  /** Aborts archiving at its n-th transaction, like a kill. */
  function interruptedBefore(nth: number): Parameters<typeof archiveToFile>[3] {
    let begun = 0
    return (db) => (work) => {
      begun += 1
      if (begun === nth) throw new Error('killed')
      return db.transaction(work)
    }
  }

  it('is completed by the next run after a kill, and removes only the payload of old records', async () => {
    const after = await rows()
    for (const [seq, before] of rowsBefore.entries()) {
      const row = after[seq]
      expect(row?.entry).to.equal(before.entry)
      if (row === undefined || seq > last) expect(row).to.deep.equal(before)
      else {
        expect([row.inputs, row.inputs_salt], `record ${seq}`).to.deep.equal(['', ''])
        expect(row.event_data).to.include('"archived":true').and.not.include('canarypurpose')
      }
    }
    expect(last)
      .to.be.at.least(old.length)
      .and.below(rowsBefore.length - young.length)
  })

  it('stores everything it removed in a file that matches its hash', async () => {
    const text = readFileSync(file, 'utf8')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    const sha256 = createHash('sha256').update(text).digest('hex')
    expect(readFileSync(`${file}.sha256`, 'utf8')).to.equal(`${sha256}  archive.jsonl\n`)
    const noted = await service.rows('SELECT file, sha256 FROM audit_archives')
    expect(noted).to.deep.equal([{ file: 'archive.jsonl', sha256 }])
    const kept = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(kept.length).to.equal(last + 1)
    for (const [seq, { archived, entry }] of kept.entries()) {
      const { event_data: eventData, inputs, inputs_salt: inputsSalt } = rowsBefore[seq] ?? {}
      expect(archived).to.include({ eventData, inputs, inputsSalt })
      expect(Buffer.from(entry, 'base64').toString()).to.equal(rowsBefore[seq]?.entry)
    }
    const issued = kept.flatMap(({ recordId, archived }) =>
      archived.receipt ? [[recordId, archived.receipt]] : [],
    )
    expect(issued).to.deep.equal([[old[0], receipt]])
    expect(await service.rows('SELECT receipt FROM receipts')).to.deep.equal([{ receipt: '' }])
  })

  it('can be verified with the auditor’s tool, which finds a changed or missing line', async () => {
    const { logId, contract } = await proofOf(old[0])
    const words = ['--rpc', service.rpcUrl, '--log', logId, '--contract', contract]
    const check = (path: string) =>
      runScript('verifyAudit.ts', [...words, '--export', path, '--range', `0-${last}`])
    const proven = await check(file)
    expect(proven.code, proven.stdout + proven.stderr).to.equal(0)
    expect(proven.stdout)
      .to.include('yes: no number in the range is missing')
      .and.match(/not checked: what no entry states, .*archived\.eventData\./)
      .and.include('not checked: who issued the receipt: pass --issuer')
      .and.include('PROVEN, except for what was not checked: 2 points above.')
    const archivedReceipt = join(folder.path, 'archived-receipt.json')
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((one) => one.includes(`"recordId":"${old[0]}"`))
    writeFileSync(archivedReceipt, JSON.stringify({ ...JSON.parse(line ?? ''), issuerKey: { kid: 'any' } }))
    const one = await runScript('verifyAudit.ts', [...words, '--record', archivedReceipt])
    expect(one.stdout)
      .to.include('the entry commits to the receipt')
      .and.match(/only the document does: .*issuerKey/)
      .and.not.include('which the document itself names')
    const text = readFileSync(file, 'utf8')
    const unescaped = join(folder.path, 'unescaped.jsonl')
    writeFileSync(unescaped, text.replace('/shop/\\u2028item', '/shop/\u2028item'))
    expect(readFileSync(unescaped).length).to.be.below(Buffer.byteLength(text))
    expect((await check(unescaped)).code).to.equal(0)
    const lines = text.trim().split('\n')
    const spoilt = join(folder.path, 'spoilt.jsonl')
    const decided = lines.findIndex((line) => line.includes(`"recordId":"${old[0]}"`))
    const archivedWith = (line: string | undefined, changes: object) => {
      const value = JSON.parse(line ?? '')
      return JSON.stringify({ ...value, archived: { ...value.archived, ...changes } })
    }
    for (const kept of [
      lines.toSpliced(1, 1),
      lines.with(1, String(lines[1]).replace('"entry":"e', '"entry":"f')),
      lines.with(decided, archivedWith(lines[decided], { inputs: '{}' })),
      lines.with(decided, archivedWith(lines[decided], { eventData: '{"recommendation":"deny"}' })),
      lines.with(decided, archivedWith(lines[decided], { receipt: receipt.slice(0, -1) })),
    ]) {
      writeFileSync(spoilt, `${kept.join('\n')}\n`)
      expect(await check(spoilt), `${kept[decided]}`).to.include({ code: 1 })
    }
  })

  it('leaves all proofs, replays of younger records and the trail unchanged', async () => {
    const { index, entry, leafHash } = proofBefore
    expect(await proofOf(old[0])).to.deep.include({ index, entry, leafHash })
    expect((await replay(young[0])).body.reproduced).to.equal(true)
    const gone = await replay(old[0])
    expect([gone.status, gone.body.code]).to.deep.equal([410, 'GONE'])
    const its = await get(`/api/audit/records/${old[0]}/receipt`)
    expect([its.status, its.body.code]).to.deep.equal([410, 'GONE'])
    const { items } = (await get('/api/activity?limit=100')).body
    expect(items.length).to.equal(activityBefore)
    const shown = items.find(({ id }: { id: string }) => id === old[0])
    expect(shown.eventData).to.include({ archived: true, recommendation: 'grant' })
  })

  it('does not stop at a record whose clock was a year ahead, and says so when it has to', async () => {
    const next = last + 1
    await proofOf((await decide()).body.auditRecordId)
    const ahead = Date.now() + 365 * 24 * 3_600_000
    await service.rows('UPDATE audit_records SET recorded_at = ? WHERE seq = ?', ahead, next)
    const words = ['--before', '2020-01-31', '--to', join(folder.path, 'none.jsonl')]
    const stopped = await runScript('archive.ts', words, { ...settings, DATA_DIR: folder.path })
    expect(stopped.stdout).to.contain('No record before that day')
    expect(stopped.stderr).to.match(
      new RegExp(`^The archive ends before record ${next}, whose time, .*, lies in the future: `),
    )
    const made = await archive(join(folder.path, 'ahead.jsonl'), Date.now())
    expect(made).to.include({ firstSeq: next })
    expect(made?.lastSeq).to.be.at.least(next + 3)
    const lines = readFileSync(join(folder.path, 'ahead.jsonl'), 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).seq)).to.deep.equal(
      Array.from({ length: lines.length }, (_, nth) => next + nth),
    )
    last = made?.lastSeq ?? last
    await proofOf((await decide()).body.auditRecordId)
  })

  it('continues where the last one ended, and overwrites nothing', async () => {
    const next = join(folder.path, 'next.jsonl')
    const complaint = await archive(file, Date.now()).catch((error: Error) => error.message)
    expect(complaint).to.match(/archive\.jsonl already exists/)
    const made = await archive(next, Date.now())
    expect(made).to.include({ firstSeq: last + 1 })
    expect((await replay(young[0])).status).to.equal(410)
  })

  it('allows the feed to be rebuilt with the same proofs and scores, and the log to grow', async () => {
    await service.stop()
    if (database) await service.rows('DROP SCHEMA feed CASCADE')
    else
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder.path, `feed.sqlite${end}`), { force: true })
    await start()
    const { index, entry, leafHash } = proofBefore
    expect(await proofOf(old[0])).to.deep.include({ index, entry, leafHash })
    expect(await score()).to.equal(scoreBefore)
    await proofOf((await decide()).body.auditRecordId)
  })
})
