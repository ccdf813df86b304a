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
import { createRegistrationFiles } from '../../../server/external/registrationFiles.ts'
import { type AuditDatabase, openAuditDatabase } from '../../harness/database/openAuditDatabase.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const OWNER = '0x0000000000000000000000000000000000000001'
const [ONE, OTHER] = [deriveAgentIdentifier(OWNER, 'one'), deriveAgentIdentifier(OWNER, 'other')]

describe('a backup of registration files', () => {
  const folder = createTemporaryFolder()
  const live = join(folder.path, 'live')
  const link = join(folder.path, 'link')
  const away = join(folder.path, 'away')
  let database: AuditDatabase

  before(async () => {
    database = await openAuditDatabase('sqlite')
    mkdirSync(live)
    chmodSync(live, 0o755)
    writeFileSync(join(live, `${ONE}.json`), 'one')
    writeFileSync(join(live, `${ONE}.json.1-1.tmp`), 'half')
    symlinkSync(live, link)
    mkdirSync(away)
    writeFileSync(join(away, 'foreign.json'), 'foreign')
    for (const at of [away, join(away, 'foreign.json')]) chmodSync(at, 0o755)
    symlinkSync(join(away, 'foreign.json'), join(live, `${OTHER}.json`))
    symlinkSync(away, join(live, 'away'))
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

  it('has what a link in the place of their folder leads to, and changes no mode of it', async () => {
    const { files } = await backUp('linked')
    expect(files.map(({ path }) => path)).to.include(`registration-files/${ONE}.json`)
    expect(readFileSync(join(folder.path, 'linked', 'registration-files', `${ONE}.json`), 'utf8')).to.equal(
      'one',
    )
    for (const at of [live, away, join(away, 'foreign.json')])
      expect(statSync(at).mode & 0o777, at).to.equal(0o755)
  })

  it('leaves out links inside and files that are being written', async () => {
    await backUp('bare')
    expect(filesIn('bare')).to.deep.equal([`${ONE}.json`])
  })

  it('bears files that are replaced meanwhile', async () => {
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

  it('is restored without what its manifest does not tell of', async () => {
    await backUp('with-more')
    const from = join(folder.path, 'with-more')
    symlinkSync(away, join(from, 'registration-files', 'away'))
    symlinkSync(away, join(from, 'data', 'away'))
    const to = join(folder.path, 'restored')
    const secretsKey = Buffer.alloc(32, 7).toString('base64')
    await restoreBackup({ databaseUrl: undefined, secretsKey }, { from, to, beginsNewLog: false })
    const held = readdirSync(to, { recursive: true, withFileTypes: true })
    expect(held.map(({ name }) => name))
      .to.include('svc.sqlite')
      .and.not.include('away')
    expect(statSync(join(away, 'foreign.json')).mode & 0o777).to.equal(0o755)
  })
})
