import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { restoreBackup } from '../../scripts/backup/restoreBackup.ts'
import { readConfig } from '../../server/config.ts'
import { registerAgent } from '../builders/participants.ts'
import { testedDatabase } from '../harness/database/testedDatabase.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { runScript } from '../harness/service/runScript.ts'
import { type BackupScene, openBackupScene, type Settings } from './openBackupScene.ts'

const RECORDS = `SELECT seq, record_id, recorded_at, event_type, owner_id, agent_id, session_id, event_data, inputs,
  inputs_salt, entry FROM audit_records ORDER BY seq`

describe('backup and restore', function () {
  this.timeout(240_000)
  let scene: BackupScene
  before(async () => {
    scene = await openBackupScene()
  })
  after(() => scene?.close())

  /** Runs the auditor's tool on a proof, with only the chain to check it against. */
  async function audit(proof: { logId: string; contract: string }): Promise<string> {
    const file = join(scene.folder, `${proof.logId}.json`)
    writeFileSync(file, JSON.stringify(proof))
    const { logId, contract } = proof
    const words = ['--rpc', scene.chain.url, '--log', logId, '--contract', contract, '--record', file]
    return (await runScript('verifyAudit.ts', words)).stdout
  }

  const createEmptySettings = async (name: string): Promise<Settings> => ({
    ...scene.settings,
    ...(await scene.createDataSettings(name)),
  })

  /** Restores the backup into an empty service and returns its settings. */
  async function restoreInProcess(name: string, backup: string): Promise<Settings> {
    const settings = await createEmptySettings(name)
    const input = { from: backup, to: String(settings.DATA_DIR), beginsNewLog: false }
    await restoreBackup(readConfig(settings), input)
    return settings
  }

  /** Does the same with the restore command. */
  async function restoreByCommand(name: string, backup: string, ...words: string[]): Promise<Settings> {
    const settings = await createEmptySettings(name)
    expect(await scene.restore(backup, settings, ...words)).to.include({ code: 0, stderr: '' })
    return settings
  }

  it('contains every record returned before it began, each identical to the service’s', async () => {
    const { rowsOf, settings, answeredBefore } = scene
    const copied = await restoreInProcess('compared', scene.during)
    const original = await rowsOf(settings, RECORDS)
    const copy = await rowsOf<{ record_id: string }>(copied, RECORDS)
    expect(copy.length).to.be.lessThan(original.length)
    expect(copy).to.deep.equal(original.slice(0, copy.length))
    const held = new Set(copy.map(({ record_id }) => record_id))
    expect(answeredBefore.filter((id) => !held.has(id))).to.deep.equal([])
    for (const table of ['users', 'api_keys', 'agents', 'endpoints', 'installation']) {
      const sql = `SELECT COUNT(*) AS n FROM ${table}`
      expect(await rowsOf(copied, sql), table).to.deep.equal(await rowsOf(settings, sql))
    }
    reportFaultFigure(`0 differences in ${copy.length} records, from a service that wrote ${original.length}`)
  })

  it('is readable only by its owner, and omits derived data', () => {
    const { during, folder } = scene
    expect(statSync(during).mode & 0o777).to.equal(0o700)
    const { files } = JSON.parse(readFileSync(join(during, 'manifest.json'), 'utf8'))
    for (const { path } of files) expect(statSync(join(during, path)).mode & 0o777, path).to.equal(0o600)
    expect(files.filter(({ path }: { path: string }) => path.includes('feed'))).to.deep.equal([])
    expect(readdirSync(folder).filter((name) => name.includes('.part-'))).to.deep.equal([])
  })

  it('continues the same log with the same keys and files when it is complete', async () => {
    const service = await scene.serve(await restoreByCommand('second', scene.afterwards))
    const oldest = await scene.proofOf(service.baseUrl, scene.answered[0])
    expect(await audit(oldest)).to.include('PROVEN.')
    const registrationFile = await fetch(`${service.baseUrl}/registration-files/${scene.svcId}.json`)
    expect(registrationFile.status).to.equal(200)
    const { auditRecordId } = (await scene.ask(service.baseUrl)).body
    expect((await scene.proofOf(service.baseUrl, auditRecordId)).logId).to.equal(oldest.logId)
  })

  it('does not start when the chain has records that the backup lacks', async () => {
    const refusal = await scene.serve(await restoreInProcess('third', scene.during)).then(
      () => null,
      (error: Error) => error.message,
    )
    expect(refusal).to.match(
      /(Log 1: )?The audit log on chain ends at batch \d+ and the database at batch \d+/,
    )
  })

  it('continues under a new log when it lacks records, and anchors every record again', async () => {
    const former = await scene.rowsOf<{ log_id: string }>(
      scene.settings,
      'SELECT log_id FROM installation UNION SELECT log_id FROM audit_logs',
    )
    expect(former).to.have.length(2)
    const service = await scene.serve(await restoreByCommand('fourth', scene.during, '--new-log'))
    const proof = await scene.proofOf(service.baseUrl, scene.answeredBefore[0])
    expect(former.map(({ log_id }) => log_id)).to.not.include(proof.logId)
    expect(await audit(proof)).to.include('PROVEN.')
    await scene.becomesFinal(service.baseUrl, (await registerAgent(service.baseUrl)).svcId)
  })

  describe('with invalid input', () => {
    const untouched = (name: string) => expect(existsSync(join(scene.folder, name)), name).to.equal(false)
    const altered = (name: string, alter: (backup: string) => void) => {
      const backup = join(scene.folder, name)
      cpSync(scene.afterwards, backup, { recursive: true })
      alter(backup)
      return backup
    }
    const refused = async (backup: string, to: Settings, sentence: RegExp) => {
      const input = { from: backup, to: String(to.DATA_DIR), beginsNewLog: false }
      const complaint = await restoreBackup(readConfig(to), input).then(
        () => null,
        (error: Error) => error.message,
      )
      expect(complaint).to.match(sentence)
    }

    it('refuses a target that is not empty, and leaves it unchanged', async () => {
      const to = await scene.createDataSettings('taken')
      cpSync(scene.afterwards, String(to.DATA_DIR), { recursive: true })
      const before = readdirSync(String(to.DATA_DIR))
      await refused(scene.afterwards, to, /taken is not empty/)
      expect((await runScript('backup.ts', ['--to', String(to.DATA_DIR)], scene.settings)).code).to.equal(1)
      expect(readdirSync(String(to.DATA_DIR))).to.deep.equal(before)
    })

    if (testedDatabase === 'postgres') {
      it('refuses a database that is not empty, and leaves it unchanged', async () => {
        const before = await scene.rowsOf(scene.settings, RECORDS)
        const to = {
          ...(await scene.createDataSettings('of-full')),
          DATABASE_URL: String(scene.settings.DATABASE_URL),
        }
        await refused(scene.afterwards, to, /^The database at DATABASE_URL is not empty/)
        expect(await scene.rowsOf(scene.settings, RECORDS)).to.deep.equal(before)
        untouched('of-full')
      })
    }

    it('refuses a folder without a manifest or with one of an unknown version', async () => {
      const bare = altered('bare', (path) => rmSync(join(path, 'manifest.json')))
      await refused(
        bare,
        await scene.createDataSettings('of-bare'),
        /is not a backup: it has no manifest\.json/,
      )
      const odd = altered('odd', (path) => writeFileSync(join(path, 'manifest.json'), '{"format": 2}'))
      await refused(odd, await scene.createDataSettings('of-odd'), /This version cannot read manifest\.json/)
      const outside = altered('outside', (path) => {
        const text = readFileSync(join(path, 'manifest.json'), 'utf8')
        writeFileSync(join(path, 'manifest.json'), text.replace('"path": "', '"path": "../'))
      })
      await refused(
        outside,
        await scene.createDataSettings('of-outside'),
        /This version cannot read manifest\.json/,
      )
      for (const name of ['of-bare', 'of-odd', 'of-outside']) untouched(name)
    })

    it('refuses a modified or missing file', async () => {
      const name = testedDatabase === 'sqlite' ? 'data/svc.sqlite' : 'database.dump'
      const flipped = altered('flipped', (path) => {
        const bytes = readFileSync(join(path, name))
        const at = bytes.length >> 1
        bytes[at] = (bytes[at] ?? 0) ^ 1
        writeFileSync(join(path, name), bytes)
      })
      await refused(
        flipped,
        await scene.createDataSettings('of-flipped'),
        /was altered: .+ does not match the manifest/,
      )
      const lacking = altered('lacking', (path) => rmSync(join(path, name)))
      await refused(lacking, await scene.createDataSettings('of-lacking'), /is incomplete: .+ is missing/)
      untouched('of-flipped')
      untouched('of-lacking')
    })

    it('refuses a SECRETS_KEY other than the one that sealed the data', async () => {
      const key = Buffer.alloc(32, 9).toString('base64')
      const to = { ...(await scene.createDataSettings('of-other')), SECRETS_KEY: key }
      await refused(scene.afterwards, to, /^SECRETS_KEY is not the key/)
      untouched('of-other')
    })

    it('does not back up a log whose records differ from the sealed ones', async () => {
      const bent = await restoreInProcess('bent', scene.afterwards)
      await scene.rowsOf(bent, "UPDATE audit_records SET entry = '{}' WHERE seq = ?", 1)
      const to = join(scene.folder, 'of-bent')
      const { code, stderr } = await runScript('backup.ts', ['--to', to], bent)
      expect(code).to.equal(1)
      expect(stderr).to.match(/^The audit log is damaged: batch 1 (of log 1 )?was sealed with root 0x/)
      untouched('of-bent')
    })

    it('names what is missing in one sentence', async () => {
      const to = join(scene.folder, 'nothing')
      const none = { DATA_DIR: join(scene.folder, 'none') }
      const complaints = [
        [await runScript('backup.ts', []), /^--to is missing/],
        [await runScript('restore.ts', ['--from', to]), /^--from or --to is missing/],
        [await runScript('backup.ts', ['--to', to], none), /^There is no database in/],
      ] as const
      for (const [{ code, stderr }, sentence] of complaints) {
        expect(code).to.equal(1)
        expect(stderr).to.match(sentence)
      }
      const key = Buffer.alloc(32, 7).toString('base64')
      const server = { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', SECRETS_KEY: key }
      const other = testedDatabase === 'sqlite' ? server : {}
      const sentence = /^The backup is of (SQLite: unset|PostgreSQL: set) DATABASE_URL/
      await refused(scene.afterwards, { ...other, DATA_DIR: to }, sentence)
      untouched('nothing')
    })
  })
})
