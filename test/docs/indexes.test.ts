import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'chai'

const ROOT = join(import.meta.dirname, '../..')

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((file) => file !== 'README.md')

const linkedFrom = (index: string): string[] =>
  [...readFileSync(index, 'utf8').matchAll(/\]\(([^):]+)\)/g)].map(([, file = '']) => file)

describe('the index', () => {
  for (const folder of ['test/harness', 'test/builders', 'docs/decisions']) {
    it(`of ${folder} lists every file once and nothing else`, () => {
      const path = join(ROOT, folder)
      expect(linkedFrom(join(path, 'README.md')).sort()).to.deep.equal(filesBelow(path).sort())
    })
  }

  it('of docs lists every page', () => {
    const path = join(ROOT, 'docs')
    const listedByItsOwnIndex = /^(client-reference|decisions|screenshots)\//
    const pages = filesBelow(path).filter(
      (name) => name.endsWith('.md') && !listedByItsOwnIndex.test(name) && !name.startsWith('.'),
    )
    expect(linkedFrom(join(path, 'README.md'))).to.include.members(pages)
  })
})
