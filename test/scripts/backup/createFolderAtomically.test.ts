import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createFolderAtomically } from '../../../scripts/backup/createFolderAtomically.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const MOUNTS = 'mount'
const UNMOUNTS = 'umount'

describe('createFolderAtomically', () => {
  const folder = createTemporaryFolder()
  const mounted: string[] = []
  const at = (name: string) => join(folder.path, name)
  const empty = (name: string) => {
    mkdirSync(at(name))
    return at(name)
  }
  after(() => {
    for (const path of mounted) spawnSync(UNMOUNTS, [path])
    folder.remove()
  })

  const fill = async (draft: string) => {
    mkdirSync(join(draft, 'files'))
    writeFileSync(join(draft, 'files', 'one'), 'one')
    writeFileSync(join(draft, 'two'), 'two')
  }
  const expectPlaced = (path: string, more: string[] = []) => {
    expect(readdirSync(path)).to.have.members(['files', 'two', ...more])
    expect(readFileSync(join(path, 'files', 'one'), 'utf8')).to.equal('one')
    expect(statSync(join(path, 'files')).mode & 0o777).to.equal(0o700)
    expect(statSync(join(path, 'two')).mode & 0o777).to.equal(0o600)
    expect(readdirSync(folder.path).filter((name) => name.includes('.part-'))).to.deep.equal([])
  }
  const failing = async (draft: string) => {
    await fill(draft)
    throw new Error('no')
  }
  /** Returns the message of a refusal, which comes before anything is written. */
  const refusal = (path: string) =>
    createFolderAtomically(path, async () => 'filled').catch((error: Error) => error.message)

  it('creates a folder, or replaces an empty one', async () => {
    await createFolderAtomically(at('new/below'), fill)
    expectPlaced(at('new/below'))
    await createFolderAtomically(empty('empty'), fill)
    expectPlaced(at('empty'))
  })

  it('fills the empty folder that a link points to, and keeps the link', async () => {
    symlinkSync(empty('led-to'), at('link'))
    await createFolderAtomically(at('link'), fill)
    expectPlaced(at('led-to'))
    expect(realpathSync(at('link'))).to.equal(realpathSync(at('led-to')))
    expect(lstatSync(at('link')).isSymbolicLink()).to.equal(true)
  })

  for (const [what, words] of [
    ['another file system', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs']],
    ['the same file system', ['--bind']],
  ] as const) {
    it(`fills a mount point of ${what}, and leaves it empty after a failure`, async function () {
      const path = empty(`mount of ${what}`)
      const source = words[0] === '--bind' ? [empty('bound')] : []
      if (spawnSync(MOUNTS, [...words, ...source, path]).status !== 0) this.skip()
      mounted.push(path)
      expect(await createFolderAtomically(path, failing).catch((error: Error) => error.message)).to.equal(
        'no',
      )
      expect(readdirSync(path)).to.deep.equal([])
      await createFolderAtomically(path, fill)
      expectPlaced(path)
    })
  }

  it('treats a new volume with lost+found as empty, and keeps lost+found', async () => {
    const path = empty('volume')
    mkdirSync(join(path, 'lost+found'))
    await createFolderAtomically(path, failing).catch(() => undefined)
    expect(readdirSync(path)).to.deep.equal(['lost+found'])
    await createFolderAtomically(path, fill)
    expectPlaced(path, ['lost+found'])
  })

  it('adds nothing to a folder that has been written to meanwhile', async () => {
    const path = empty('busy')
    mkdirSync(join(path, 'lost+found'))
    const refused = createFolderAtomically(path, async (draft) => {
      await fill(draft)
      writeFileSync(join(path, 'two'), 'by another process')
    })
    expect(await refused.catch((error: Error) => error.message)).to.match(/busy is no longer empty/)
    expect(readdirSync(path)).to.have.members(['lost+found', 'two'])
    expect(readFileSync(join(path, 'two'), 'utf8')).to.equal('by another process')
  })

  it('refuses a non-empty folder, a file, a link to either and a broken link, before anything is written', async () => {
    writeFileSync(at('file'), '')
    mkdirSync(join(empty('full'), 'member'))
    for (const [name, target] of [
      ['to-full', 'full'],
      ['to-file', 'file'],
      ['to-nowhere', 'nowhere'],
    ] as const)
      symlinkSync(at(target), at(name))
    for (const name of ['full', 'to-full']) expect(await refusal(at(name))).to.match(/ is not empty: /)
    for (const name of ['file', 'to-file']) expect(await refusal(at(name))).to.match(/ is not a folder\.$/)
    expect(await refusal(at('to-nowhere'))).to.match(/is a broken link/)
    expect(readdirSync(at('full'))).to.deep.equal(['member'])
  })
})
