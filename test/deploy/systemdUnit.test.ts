import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { readDeployedConfig, SECRETS } from '../harness/runner/readDeployedConfig.ts'
import { STOP_SECONDS } from '../harness/runner/stopSeconds.ts'

const UNIT = 'svc-registry.service'
const INSTALLED_NODE = '/opt/svc-registry/node_modules/.bin/node'
const text = readFileSync(join(import.meta.dirname, '../../deploy', UNIT), 'utf8')

/** The highest exposure that `systemd-analyze security` may report, in tenths; an unprotected service has 96. */
const EXPOSURE_MAX = 15

describe('the systemd unit', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())

  /** Runs systemd-analyze on the unit with a program that exists; null without systemd. */
  function analyze(...words: string[]) {
    const file = join(folder.path, UNIT)
    writeFileSync(file, text.replace(INSTALLED_NODE, process.execPath))
    const { error, status, stdout, stderr } = spawnSync('systemd-analyze', [...words, file], {
      encoding: 'utf8',
    })
    return error ? null : { status, output: stdout + stderr }
  }

  it('is valid', function () {
    const found = analyze('verify', '--man=no')
    // systemd is not installed.
    if (found === null) this.skip()
    expect(found).to.deep.equal({ status: 0, output: '' })
  })

  it('closes what the service does not need', function () {
    const found = analyze('security', '--offline=true', `--threshold=${EXPOSURE_MAX}`)
    // systemd is not installed.
    if (found === null) this.skip()
    expect(found.status, found.output).to.equal(0)
  })

  it('gives the service settings that it starts with, and every credential that it loads', () => {
    const assignments = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '))
    const config = readDeployedConfig({
      PUBLIC_URL: 'https://registry.example',
      ...Object.fromEntries(assignments.map((assignment) => assignment.split('='))),
    })
    expect(config.metricsToken).to.equal('metrics')
    const loaded = [...text.matchAll(/^LoadCredential=([\w-]+):/gm)].map(([, name]) => name)
    expect(loaded).to.have.members(Object.keys(SECRETS))
    for (const name of loaded) expect(text).to.include(`=%d/${name}`)
  })

  it('waits for a stop after the longest time of draining', () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? []
    expect(Number(seconds)).to.equal(
      STOP_SECONDS + readDeployedConfig({ DRAIN_SECONDS: '60' }).http.drainSeconds,
    )
    expect(() => readDeployedConfig({ DRAIN_SECONDS: '61' })).to.throw('Setting DRAIN_SECONDS')
  })
})
