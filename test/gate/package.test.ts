import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { installCommand } from '../harness/runner/installCommand.ts'

const KIBIBYTE = 1024
const run = promisify(execFile)

describe('the installed gate', function () {
  this.timeout(240_000)
  const project = createTemporaryFolder()
  let installed: Awaited<ReturnType<typeof installCommand>>
  const start = (...words: string[]) =>
    run(process.execPath, [join(project.path, 'node_modules/.bin/svc-gate'), ...words], { cwd: project.path })

  before(async () => {
    installed = await installCommand('buildGate', project.path)
  })
  after(() => project.remove())

  it('is small, and contains its changelog and the examples', () => {
    expect(installed.packedBytes).to.be.lessThan(70 * KIBIBYTE)
    for (const file of ['CHANGELOG.md', 'examples/haproxy.cfg']) {
      expect(existsSync(join(installed.built, file)), file).to.equal(true)
    }
  })

  it('brings libsodium, which is not needed', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(installed.built, 'package.json'), 'utf8'))
    expect(optionalDependencies).to.have.property('sodium-native')
    expect(existsSync(join(project.path, 'node_modules/sodium-native'))).to.equal(true)
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(installed.built, 'package.json'), 'utf8'))
    expect((await start('--version')).stdout).to.equal(`${version}\n`)
  })

  it('prints its help', async () => {
    const { stdout } = await start('--help')
    expect(stdout).to.include('svc-gate --upstream')
  })

  it('says what is missing, and exits with an error', async () => {
    const failure = await start().then(
      () => null,
      (error: { stderr: string }) => error.stderr,
    )
    expect(failure).to.include('Try "svc-gate --help".')
  })
})
