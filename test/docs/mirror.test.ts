import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { expect } from 'chai'

const ROOT = join(import.meta.dirname, '../..')

/** Test folders, each with the code folder that it mirrors. */
const MIRRORS = {
  core: 'core',
  server: 'server',
  client: 'client',
  web: 'web/src',
  cli: 'cli',
  gate: 'gate',
  scripts: 'scripts',
  bench: 'bench',
  contracts: 'contracts',
  deploy: 'deploy',
}

/** The kinds of tests and helpers that belong to no single code folder. */
const KINDS = [
  'browser',
  'builders',
  'cases',
  'docs',
  'faults',
  'fixtures',
  'fuzz',
  'harness',
  'image',
  'processes',
  'solidity',
  'vectors',
]

/** Whether a path is a folder or a module of that name, regardless of case. */
function isCode(path: string): boolean {
  if (existsSync(path)) return true
  const folder = dirname(path)
  if (!existsSync(folder)) return false
  const names = readdirSync(folder).map((name) =>
    basename(name)
      .replace(/\.\w+$/, '')
      .toLowerCase(),
  )
  return names.includes(basename(path).toLowerCase())
}

describe('the test folders', () => {
  it('mirror the folders and modules that they test', () => {
    const without = Object.entries(MIRRORS).flatMap(([tests, code]) => {
      const root = join(ROOT, 'test', tests)
      const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      )
      const folders = new Set(files.map(({ parentPath }) => relative(root, parentPath)))
      return [...folders]
        .filter((path) => !isCode(join(ROOT, code, path)))
        .map((path) => join('test', tests, path))
    })
    expect(without).to.deep.equal([])
  })

  it('are of a known kind', () => {
    const folders = readdirSync(join(ROOT, 'test'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    expect(folders.map(({ name }) => name)).to.have.members([...Object.keys(MIRRORS), ...KINDS])
  })
})
