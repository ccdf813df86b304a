import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { deriveAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { expect } from 'chai'
import { restoreBackup } from '../../../scripts/backup/restoreBackup.ts'
import { takeBackup } from '../../../scripts/backup/takeBackup.ts'
import { readConfig } from '../../../server/config.ts'
import { createRegistrationFiles } from '../../../server/external/registrationFiles.ts'
import { type AuditDatabase, openAuditDatabase } from '../../harness/database/openAuditDatabase.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const OWNER = '0x0000000000000000000000000000000000000001'
const [ONE, OTHER] = [deriveAgentIdentifier(OWNER, 'one'), deriveAgentIdentifier(OWNER, 'other')]

describe('a backup of registration files', () => {
  const folder = createTemporaryFolder()
  const live = join(folder.path, 'live')
  const link = join(folder.path, 'link')
  const outside = join(folder.path, 'outside')
  let database: AuditDatabase

  before(async () => {
    database = await openAuditDatabase('sqlite')
    mkdirSync(live)
    chmodSync(live, 0o755)
    writeFileSync(join(live, `${ONE}.json`), 'one')
    writeFileSync(join(live, `${ONE}.json.1-1.tmp`), 'half')
    symlinkSync(live, link)
    mkdirSync(outside)
    writeFileSync(join(outside, 'foreign.json'), 'foreign')
    for (const at of [outside, join(outside, 'foreign.json')]) chmodSync(at, 0o755)
    symlinkSync(join(outside, 'foreign.json'), join(live, `${OTHER}.json`))
    symlinkSync(outside, join(live, 'outside'))
  })
  after(async () => {
    await database?.close()
    folder.remove()
  })

  const backUp = (to: string) => {
    const { databaseFile } = database.files
    const dataDir = dirname(databaseFile)
    const config = { databaseUrl: undefined, databaseFile, dataDir, registrationFilesDir: link }
    return takeBackup(config, join(folder.path, to), 0)
  }
  const filesIn = (to: string) => readdirSync(join(folder.path, to, 'registration-files'))

  it('follows a link in place of their folder, and leaves the modes of its target unchanged', async () => {
    const { files } = await backUp('linked')
    expect(files.map(({ path }) => path)).to.include(`registration-files/${ONE}.json`)
    expect(readFileSync(join(folder.path, 'linked', 'registration-files', `${ONE}.json`), 'utf8')).to.equal(
      'one',
    )
    for (const at of [live, outside, join(outside, 'foreign.json')])
      expect(statSync(at).mode & 0o777, at).to.equal(0o755)
  })

  it('leaves out links in the folder and files that are being written', async () => {
    await backUp('bare')
    expect(filesIn('bare')).to.deep.equal([`${ONE}.json`])
  })

  it('succeeds while files are being replaced', async () => {
    const files = createRegistrationFiles(live)
    let isOver = false
    const write = async (svcId: string) => {
      while (!isOver) await files.write(svcId, 'two')
    }
    const writing = Promise.all([ONE, ONE, OTHER, OTHER].map(write))
    try {
      for (let nth = 0; nth < 10; nth += 1) {
        await backUp(`busy-${nth}`)
        for (const name of filesIn(`busy-${nth}`)) expect([`${ONE}.json`, `${OTHER}.json`]).to.include(name)
      }
    } finally {
      isOver = true
      await writing
    }
  })

  it('is restored without files that its manifest does not list', async () => {
    await backUp('with-more')
    const from = join(folder.path, 'with-more')
    symlinkSync(outside, join(from, 'registration-files', 'outside'))
    symlinkSync(outside, join(from, 'data', 'outside'))
    const to = join(folder.path, 'restored')
    const secretsKey = Buffer.alloc(32, 7).toString('base64')
    await restoreBackup(readConfig({ SECRETS_KEY: secretsKey }), { from, to, beginsNewLog: false })
    const held = readdirSync(to, { recursive: true, withFileTypes: true })
    expect(held.map(({ name }) => name))
      .to.include('svc.sqlite')
      .and.not.include('outside')
    expect(statSync(join(outside, 'foreign.json')).mode & 0o777).to.equal(0o755)
  })
})
