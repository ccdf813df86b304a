import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readDeployedConfig } from '../harness/runner/readDeployedConfig.ts'

const ROOT = join(import.meta.dirname, '../..')
const text = readFileSync(join(ROOT, 'Containerfile'), 'utf8')
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
const final = text.slice(text.lastIndexOf('\nFROM '))

describe('the container image', () => {
  it('copies what exists and is sent to the builder', () => {
    const copies = [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    )
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

  it('gives the service settings that it starts with, and data in its volume only', () => {
    const [, block = ''] = /^ENV ([\s\S]*?)\nUSER/m.exec(final) ?? []
    const assignments = block.split(/\s*\\\n\s*/).map((assignment) => assignment.split('='))
    const config = readDeployedConfig(Object.fromEntries(assignments))
    expect(config.http.host).to.equal('0.0.0.0')
    expect([config.dataDir, config.registrationFilesDir]).to.deep.equal(['/data', '/data/registration-files'])
    expect(final).to.match(/^VOLUME \/data$/m)
  })

  it('runs as a user without rights, and checks its own health', () => {
    expect(final).to.match(/^USER 10001:10001$/m)
    expect(final).to.match(/^HEALTHCHECK [^\n]*\\\n.*\/api\/health/m)
  })
})
