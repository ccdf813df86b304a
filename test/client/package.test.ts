import { execFile, execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { generatePrivateKey } from 'viem/accounts'
import { endpoint, organisation } from '../builders/world.ts'
import { type StartedService, startService } from '../harness/startService.ts'
import { temporaryFolder } from '../harness/temporaryFolder.ts'
import { readmePrograms } from './readmePrograms.ts'

const ROOT = join(import.meta.dirname, '../..')
const KIBIBYTE = 1024
const run = promisify(execFile)

/** What the README's examples import beside the library. */
const BESIDE = ['express', '@types/express', '@types/node', 'viem']

describe('the client library as it is installed', () => {
  const folder = temporaryFolder()
  const built = join(folder.path, 'built')
  const project = join(folder.path, 'project')
  let packed: string
  let service: StartedService

  before(async function () {
    this.timeout(240_000)
    execFileSync(process.execPath, [join(ROOT, 'scripts/buildClient.ts'), '--out', built])
    const [made] = JSON.parse(npm(['pack', built, '--json', '--pack-destination', folder.path], ROOT).stdout)
    packed = join(folder.path, made.filename)
    mkdirSync(project)
    const versions = BESIDE.map((name) => `${name}@${versionOf(name)}`)
    writeFileSync(join(project, 'package.json'), '{ "name": "empty", "type": "module", "private": true }')
    npm(
      ['install', packed, ...versions, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'],
      project,
    )
    service = await startService()
  })
  after(async () => {
    await service?.stop()
    folder.remove()
  })

  it('is small, and brings few dependencies and nothing of the server', () => {
    expect(statSync(packed).size).to.be.lessThan(60 * KIBIBYTE)
    const { dependencies } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'))
    expect(Object.keys(dependencies).length).to.be.at.most(5)
    expect(existsSync(join(project, 'node_modules/knex'))).to.equal(false)
  })

  for (const entry of ['index', 'policy', 'express', 'fastify', 'fetch']) {
    it(`asks the platform for nothing that only Node has, in ${entry}`, () => {
      const outside = importsOf(join(built, `${entry}.js`))
      expect([...outside].filter((name) => !['zod', 'yaml'].includes(name))).to.deep.equal([])
    })
  }

  it('has types that an empty strict project accepts, with every example of the README', () => {
    const programs = readmePrograms({ apiBase: service.baseUrl, agentSite: 'http://127.0.0.1:9' })
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text)
    const options = { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: ['node'] }
    const config = { compilerOptions: { ...options, allowImportingTsExtensions: true }, include: ['*.ts'] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
    const tsc = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], {
      cwd: project,
      encoding: 'utf8',
    })
    expect(tsc.stdout).to.equal('')
  }).timeout(120_000)

  it('runs the README’s examples: a guarded shop, an agent that visits it, webhooks, a registration, a policy', async () => {
    const shop = await organisation(service.baseUrl)
    const counterpartyId = await endpoint(service.baseUrl, shop.apiKey)
    const places = { apiBase: service.baseUrl, counterpartyId }
    const write = (sites: { shop?: string; agentSite?: string }) => {
      const programs = readmePrograms({ ...places, ...sites })
      for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text)
    }
    write({})
    const stall = await serve(join(project, 'shop.ts'), { SVC_API_KEY: shop.apiKey })
    try {
      const anonymous = await fetch(`${stall.url}/catalogue`)
      expect([anonymous.status, (await anonymous.json()).code]).to.deep.equal([403, 'access_denied'])
      write({ shop: stall.url })
      const key = generatePrivateKey()
      const agent = await program(join(project, 'agent.ts'), { AGENT_KEY: key })
      expect(agent.visited).to.deep.equal({ status: 200, body: { verified: true, recommendation: 'grant' } })
      expect(agent.metadata['X-Svc-Id']).to.match(/^SVC-/)
      expect([agent.meta['X-Svc-Purpose'], agent.expiresIn]).to.deep.equal(['shopping:buy', 900])
      const { svcId } = await program(join(project, 'owner.ts'), { OWNER_KEY: key })
      expect(svcId).to.match(/^SVC-/)
      expect((await program(join(project, 'decide.ts'))).recommendation).to.equal('grant')
      expect(await program(join(project, 'webhooks.ts'))).to.deep.equal({ genuine: 204, forged: 401 })
    } finally {
      await stall.stop()
    }
  }).timeout(120_000)

  it('brings the command, and a schema that knows every field of a policy', () => {
    writeFileSync(join(project, 'policy.yaml'), 'version: 1\npdlss:\n  purpose: { categories: [shopping] }\n')
    writeFileSync(join(project, 'request.json'), '{"purpose":"shopping"}')
    const command = join(project, 'node_modules/.bin/svc-policy')
    const ask = (...args: string[]) => spawnSync(command, args, { cwd: project, encoding: 'utf8' })
    const evaluated = ask('evaluate', 'policy.yaml', 'request.json')
    expect([evaluated.status, evaluated.stdout.slice(0, 5)]).to.deep.equal([0, 'grant'])
    const file = join(project, 'node_modules/@svc/client/policy.schema.json')
    const { properties } = JSON.parse(readFileSync(file, 'utf8'))
    const dimensions = ['purpose', 'duration', 'limits', 'scope', 'selfInstantiation']
    expect(Object.keys(properties.pdlss.properties)).to.deep.equal(dimensions)
    expect(properties.pdlss.additionalProperties).to.equal(false)
  })

  it('runs on Node 20 where there is one', function () {
    const old = nodeOf(20)
    if (old === null) return this.skip()
    const text = `import { createPresenter } from '@svc/client'
import { compilePolicy } from '@svc/client/policy'
import { verifyWebhook } from '@svc/client/webhooks'
const { evaluate } = compilePolicy({ version: 1, pdlss: {} })
console.log(evaluate({}, { now: 0 }).recommendation, typeof verifyWebhook, typeof createPresenter)`
    writeFileSync(join(project, 'old.mjs'), text)
    const { stdout, stderr } = spawnSync(old, ['old.mjs'], { cwd: project, encoding: 'utf8' })
    expect(stdout, stderr).to.equal('grant function function\n')
    return undefined
  })

  /** Runs a program of the project to its end and answers the JSON of its last line. */
  async function program(file: string, env: Record<string, string> = {}) {
    const options = { cwd: dirname(file), env: { ...process.env, ...env }, timeout: 60_000 }
    const { stdout } = await run(process.execPath, [file], options)
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }

  /** Starts a program of the project that says its port, and ends it. */
  async function serve(file: string, env: Record<string, string>) {
    const child = spawn(process.execPath, [file], {
      cwd: dirname(file),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [port] = await once(createInterface(child.stdout), 'line')
    return {
      url: `http://127.0.0.1:${port}`,
      async stop() {
        const ended = once(child, 'exit')
        child.kill()
        await ended
      },
    }
  }
})

function npm(args: string[], cwd: string): SpawnSyncReturns<string> {
  const ended = spawnSync('npm', args, { cwd, encoding: 'utf8', timeout: 200_000 })
  if (ended.status !== 0) throw new Error(`npm ${args[0]}: ${ended.stderr}${ended.stdout}`)
  return ended
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version
}

/** What a module and all that it imports take from outside of the package. */
function importsOf(entry: string): Set<string> {
  const outside = new Set<string>()
  const seen = new Set<string>()
  const walk = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, name = ''] of text.matchAll(/\b(?:import|from)\s*\(?["']([^"']+)["']/g)) {
      if (name.startsWith('.')) walk(join(dirname(file), name))
      else outside.add(name)
    }
  }
  walk(entry)
  return outside
}

/** An installed Node of a major version. */
function nodeOf(major: number): string | null {
  const candidates = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'))
  const isIt = (file: string) =>
    spawnSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.startsWith(`${major}.`)
  return candidates.find((file) => existsSync(file) && isIt(file)) ?? null
}
