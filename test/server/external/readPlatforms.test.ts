import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledPlatforms } from '@svc/core/platforms/bundledPlatforms.ts'
import { expect } from 'chai'
import { readPlatforms } from '../../../server/external/readPlatforms.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

describe('readPlatforms', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())

  it('uses the bundled file by default', () => {
    expect(readPlatforms(undefined)).to.equal(bundledPlatforms)
  })

  it('reads a file of the same form', () => {
    const file = join(folder.path, 'platforms.json')
    writeFileSync(file, JSON.stringify({ ...bundledPlatforms, dated: '2026-12-01' }))
    expect(readPlatforms(file)).to.deep.equal({ ...bundledPlatforms, dated: '2026-12-01' })
  })

  it('names the setting and the file if it is missing or invalid', () => {
    const file = join(folder.path, 'platforms.json')
    expect(() => readPlatforms(file)).to.throw(`Setting PLATFORMS_FILE: ${file} is not a file of platforms`)
    for (const text of ['{', '{}', JSON.stringify({ ...bundledPlatforms, dated: 'today' })]) {
      writeFileSync(file, text)
      expect(() => readPlatforms(file)).to.throw(`Setting PLATFORMS_FILE: ${file} is not a file of platforms`)
    }
  })
})
