import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect } from 'chai'

const root = resolve(import.meta.dirname, '../..')

describe('the committed contracts', () => {
  it('are what the sources compile to', () => {
    const check = ['scripts/compileContracts.ts', '--check']
    const { status, stderr } = spawnSync(process.execPath, check, { cwd: root, encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
  })
})
