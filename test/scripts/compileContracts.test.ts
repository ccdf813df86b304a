import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { alone } from '../harness/alone.ts'

const root = resolve(import.meta.dirname, '../..')

describe('the committed contracts', () => {
  it('are what the sources compile to', async () => {
    const check = ['scripts/compileContracts.ts', '--check']
    const run = () => spawnSync(process.execPath, check, { cwd: root, encoding: 'utf8' })
    const { status, stderr } = await alone('contracts', run)
    expect(status, stderr).to.equal(0)
  })
})
