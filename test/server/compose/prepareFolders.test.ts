import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { prepareFolders } from '../../../server/compose/prepareFolders.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { spawnService } from '../../harness/service/spawnService.ts'

describe('prepareFolders', () => {
  const folder = createTemporaryFolder()
  const file = join(folder.path, 'file')
  const dataDir = join(folder.path, 'data')
  before(() => writeFileSync(file, ''))
  after(() => folder.remove())

  it('creates both folders, the data folder for its owner only, and keeps existing files', () => {
    const registrationFilesDir = join(dataDir, 'files')
    for (const _ of [1, 2]) prepareFolders({ dataDir, registrationFilesDir })
    expect(statSync(dataDir).mode & 0o777).to.equal(0o700)
    expect(readdirSync(dataDir)).to.deep.equal(['files'])
  })

  for (const [setting, name] of [
    ['DATA_DIR', 'dataDir'],
    ['REGISTRATION_FILES_DIR', 'registrationFilesDir'],
  ] as const) {
    it(`names ${setting} if it is a file, inside a file, or not writable`, () => {
      const given = (path: string) => ({ dataDir, registrationFilesDir: dataDir, [name]: path })
      const sentence = new RegExp(`^Setting ${setting}: .+ is not a folder that can be made and written to`)
      expect(() => prepareFolders(given(file))).to.throw(sentence)
      expect(() => prepareFolders(given(join(file, 'below')))).to.throw(sentence)
      // Root may write everywhere.
      if (process.getuid?.() === 0) return
      const closed = join(folder.path, `closed ${name}`)
      mkdirSync(closed, { mode: 0o500 })
      expect(() => prepareFolders(given(closed))).to.throw(sentence)
    })
  }

  it('prevents the start before anything is created in the data folder', async () => {
    const own = join(folder.path, 'own')
    const refusal = await spawnService({ DATA_DIR: own, REGISTRATION_FILES_DIR: file }).then(
      () => 'started',
      (error: Error) => error.message,
    )
    expect(refusal).to.include('Cannot start: Setting REGISTRATION_FILES_DIR: ')
    expect(readdirSync(own)).to.deep.equal([])
  })
})
