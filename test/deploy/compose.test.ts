import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { DCLinter } from 'dclint'
import { parse } from 'yaml'
import { z } from 'zod'
import { readDeployedConfig, SECRETS } from '../harness/runner/readDeployedConfig.ts'
import { STOP_SECONDS } from '../harness/runner/stopSeconds.ts'

const ROOT = join(import.meta.dirname, '../..')

const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.string()).default({}),
      secrets: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      read_only: z.boolean().default(false),
      build: z.object({ target: z.string().default('service') }).optional(),
      image: z.string().optional(),
      ports: z.array(z.string()).default([]),
      profiles: z.array(z.string()).default([]),
      stop_grace_period: z.string().optional(),
    }),
  ),
  secrets: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
})
const { services, secrets, volumes } = composeFile.parse(
  parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')),
)

/** The environment of the service with what the operator sets. */
function environmentWith(more: Record<string, string> = {}): Record<string, string> {
  const set: Record<string, string> = {
    PUBLIC_URL: 'https://registry.example',
    TRUSTED_PROXIES: '172.16.0.0/12',
    ...more,
  }
  const given = Object.entries(services.registry?.environment ?? {})
  return Object.fromEntries(
    given.map(([name, value]) => [name, value.replace(/^\$\{(\w+):[-?].*\}$/, (_, key) => set[key] ?? '')]),
  )
}
const environment = environmentWith()

describe('compose.yaml', () => {
  it('fits the published schema and the rules of its linter', () => {
    const [result, ...others] = new DCLinter({
      rules: {},
      quiet: false,
      debug: false,
      exclude: [],
    }).lintFiles([join(ROOT, 'compose.yaml')], false)
    expect(others).to.deep.equal([])
    expect(result?.messages).to.deep.equal([])
  })

  it('gives the service settings that it starts with', () => {
    const config = readDeployedConfig(environment)
    expect(config.databaseUrl).to.equal('postgres://svc:secret@database/svc')
    expect(config.chain.local).to.equal(false)
    expect(config.metricsToken).to.equal('metrics')
  })

  it('waits for a stop of the service', () => {
    const seconds = STOP_SECONDS + readDeployedConfig(environment).http.drainSeconds
    expect(services.registry?.stop_grace_period).to.equal(`${seconds}s`)
  })

  it('keeps registration files in the node of its profile, whose API is closed, only if that is set', () => {
    const [, url = ''] = /^IPFS_API_URL=(\S+) .*docker compose --profile ipfs up/m.exec(operations) ?? []
    expect(readDeployedConfig(environmentWith({ IPFS_API_URL: url })).ipfsApiUrl).to.equal('http://ipfs:5001')
    expect(readDeployedConfig(environment).ipfsApiUrl).to.equal(undefined)
    expect(services.ipfs?.profiles).to.deep.equal(['ipfs'])
    expect(services.ipfs?.ports).to.deep.equal(['0.0.0.0:4001:4001', '0.0.0.0:4001:4001/udp'])
  })

  it('takes images of a fixed version', () => {
    for (const [name, { image }] of Object.entries(services))
      if (image) expect(image, name).to.match(/^docker\.io\/.+:v?\d[\w.-]*$/)
  })

  it('makes backups of the database and the files of the service, which it cannot change', () => {
    const config = readDeployedConfig(services.backup?.environment ?? {})
    const { databaseUrl, secretsKey } = readDeployedConfig(environment)
    expect([config.databaseUrl, config.secretsKey]).to.deep.equal([databaseUrl, secretsKey])
    expect(services.backup?.volumes).to.deep.equal(['data:/data:ro'])
  })

  it('builds stages of the Containerfile, with the client programs of its database', () => {
    const containerfile = readFileSync(join(ROOT, 'Containerfile'), 'utf8')
    for (const { build } of Object.values(services))
      if (build) expect(containerfile).to.match(new RegExp(`^FROM .* AS ${build.target}$`, 'm'))
    expect(services.backup?.build?.target).to.equal('backup')
    expect(containerfile).to.include(`\nARG POSTGRES=${services.database?.image}\n`)
  })

  it('gives every secret as a file, to those services only that read it', () => {
    for (const [name, service] of Object.entries(services)) {
      const read = JSON.stringify(service.environment) + (name === 'prometheus' ? prometheusFile() : '')
      for (const secret of service.secrets) expect(read, name).to.include(`/run/secrets/${secret}`)
      const named = [...read.matchAll(/\/run\/secrets\/([\w-]+)/g)].map(([, secret]) => secret)
      expect(service.secrets, name).to.have.members([...new Set(named)])
      for (const secret of service.secrets) expect(secrets).to.have.property(secret)
    }
    expect(services.registry?.secrets).to.have.members(Object.keys(SECRETS))
  })

  it('mounts folders that exist and volumes that it declares', () => {
    for (const mount of Object.values(services).flatMap((service) => service.volumes)) {
      const [source = ''] = mount.split(':')
      if (source.startsWith('.')) expect(existsSync(join(ROOT, source)), mount).to.equal(true)
      else expect(volumes).to.have.property(source)
    }
  })

  it('lets the service write to its volume only', () => {
    expect(services.registry?.read_only).to.equal(true)
    expect(services.registry?.volumes).to.deep.equal(['data:/data'])
  })
})

const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
const prometheusFile = () => readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8')
