import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { sitePath } from '../../docs/.vitepress/sitePath.ts'
import { readDeployedConfig } from '../harness/runner/readDeployedConfig.ts'

const ROOT = join(import.meta.dirname, '../..')
const text = readFileSync(join(ROOT, 'Containerfile'), 'utf8')
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')

/** The text of a stage. */
const stageOf = (name: string) =>
  text.split(/^(?=FROM )/m).find((stage) => stage.split('\n')[0]?.endsWith(` AS ${name}`)) ?? ''
const final = stageOf('service')

/** What stages copy from the project. */
const copiesOf = (stages: string) =>
  [...stages.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))

/** The configuration that a stage gives its program. */
function configOf(stage: string) {
  const [, block = ''] = /^ENV ([\s\S]*?)\nUSER/m.exec(stageOf(stage)) ?? []
  const assignments = block.split(/\s*\\\n\s*/).map((assignment) => assignment.split('='))
  return readDeployedConfig(Object.fromEntries(assignments.filter(([name]) => name !== 'PATH')))
}

describe('the container image', () => {
  it('copies what exists and is sent to the builder', () => {
    const copies = copiesOf(text)
    expect(copies).to.include('server')
    const sent = [...ignored.matchAll(/^!(.*)$/gm)].map(([, path = '']) => path)
    for (const path of copies) {
      expect(existsSync(join(ROOT, path)), path).to.equal(true)
      expect(
        sent.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
        path,
      ).to.equal(true)
    }
  })

  it('builds the documentation from every file that it shows', () => {
    const copied = copiesOf(stageOf('pages'))
    const shown = globSync('**/*.md', { cwd: ROOT, exclude: ['**/node_modules', '**/dist', '**/cache'] })
    for (const file of shown.filter((file) => sitePath(file) !== null)) {
      const isCopied = copied.some((path) => file === path || file.startsWith(`${path}/`))
      expect(isCopied, file).to.equal(true)
    }
  })

  it('installs with the package.json of every workspace, without which npm refuses the lock file', () => {
    const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const workspace of workspaces)
      expect(stageOf('dependencies')).to.include(`COPY ${workspace}/package.json ${workspace}/`)
  })

  it('gives the service settings that it starts with, and data in its volume only', () => {
    const config = configOf('service')
    expect(config.http.host).to.equal('0.0.0.0')
    expect([config.dataDir, config.registrationFilesDir]).to.deep.equal(['/data', '/data/registration-files'])
    expect(final).to.match(/^VOLUME \/data$/m)
  })

  it('is the service unless a target is named', () => {
    expect(text.trimEnd().split('\n').at(-1)).to.equal('FROM service')
  })

  it('contains the same service with the client programs of PostgreSQL, for backups of the same data', () => {
    const [service, backup] = [configOf('service'), configOf('backup')]
    for (const name of ['dataDir', 'databaseFile', 'registrationFilesDir'] as const)
      expect(backup[name]).to.equal(service[name])
    expect(stageOf('backup')).to.match(/^COPY --from=service \/app \.\/$/m)
    expect(stageOf('backup')).to.match(/^USER 10001:10001$/m)
  })

  it('runs as a user without rights, and checks its own health', () => {
    expect(final).to.match(/^USER 10001:10001$/m)
    expect(final).to.match(/^HEALTHCHECK [^\n]*\\\n.*\/api\/health/m)
  })
})
