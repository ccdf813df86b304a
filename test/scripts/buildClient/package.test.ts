import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { build } from 'esbuild'
import ts from 'typescript'
import { generatePrivateKey } from 'viem/accounts'
import { createOrganisation, registerEndpoint } from '../../builders/participants.ts'
import { findNode } from '../../harness/runner/findNode.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'
import { buildReadmePrograms } from './buildReadmePrograms.ts'
import { CONSUMERS } from './consumers.ts'
import { findTypeErrors, STRICTER } from './findTypeErrors.ts'
import { type ClientProject, installClient } from './installClient.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')
const KIBIBYTE = 1024
const run = promisify(execFile)

describe('the installed client library', () => {
  let project: ClientProject
  let service: StartedService

  before(async function () {
    this.timeout(240_000)
    project = await installClient()
    service = await startService()
  })
  after(async () => {
    await service?.stop()
    project?.remove()
  })

  /** Writes a file of the project and returns its path. */
  function write(name: string, text: string): string {
    const file = join(project.path, name)
    writeFileSync(file, text)
    return file
  }
  const writeAll = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) write(name, text)
  }

  it('is small, with one dependency and nothing of the server', () => {
    expect(statSync(project.packed).size).to.be.lessThan(98 * KIBIBYTE)
    const { dependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(project.built, 'package.json'), 'utf8'),
    )
    expect(Object.keys(dependencies)).to.deep.equal(['yaml'])
    expect(peerDependenciesMeta).to.deep.equal({ 'sodium-native': { optional: true } })
    expect(existsSync(join(project.path, 'node_modules/knex'))).to.equal(false)
  })

  const ADAPTERS = ['ai', 'langchain', 'openai-agents', 'mastra', 'mcp', 'a2a']
  const EVERYWHERE = ['index', 'policy', 'express', 'fastify', 'fetch', 'receipts', 'reuse']
  for (const entry of [...EVERYWHERE, ...ADAPTERS]) {
    it(`imports no other package in ${entry}, and no Node module`, () => {
      expect([...importsOf(join(project.built, `${entry}.js`))]).to.deep.equal([])
    })
  }

  it('imports only the parser of YAML in yaml', () => {
    expect([...importsOf(join(project.built, 'yaml.js'))]).to.deep.equal(['yaml'])
  })

  it('adds at most 61 kB to a page that decides by a policy, 50 kB to one with an agent, and 57 kB to an edge', async () => {
    for (const [entry, bytesMax] of [
      ['@svc/client/policy', 61_000],
      ['@svc/client', 50_000],
      ['@svc/client/fetch', 57_000],
    ] as const) {
      const { outputFiles } = await build({
        stdin: { contents: `export * from '${entry}'`, resolveDir: project.path },
        ...{ bundle: true, minify: true, write: false, platform: 'neutral', format: 'esm' },
      })
      expect(outputFiles[0]?.contents.length, entry).to.be.within(1, bytesMax)
    }
  })

  const EVERY_ENTRY = [...EVERYWHERE, ...ADAPTERS, 'webhooks', 'node', 'yaml']
    .map((entry) => `import '@svc/client${entry === 'index' ? '' : `/${entry}`}'`)
    .join('\n')

  it('has types that compile in a strict project with its examples and those of the README', () => {
    cpSync(EXAMPLES, join(project.path, 'examples'), { recursive: true })
    writeAll(buildReadmePrograms({ apiBase: service.baseUrl, agentSite: 'http://127.0.0.1:9' }))
    write('every.ts', EVERY_ENTRY)
    expect(findTypeErrors(project.path)).to.deep.equal([])
  }).timeout(240_000)

  it('has types that compile with exact optional properties, in Fastify’s requests, and in CommonJS', () => {
    mkdirSync(join(project.path, 'consumers'))
    for (const [name, text] of Object.entries(CONSUMERS)) write(`consumers/${name}`, text)
    expect(findTypeErrors(join(project.path, 'consumers'), STRICTER)).to.deep.equal([])
  }).timeout(240_000)

  it('has types that compile without those of browsers', () => {
    mkdirSync(join(project.path, 'servers'))
    for (const [name, text] of Object.entries({ ...CONSUMERS, 'every.ts': EVERY_ENTRY }))
      write(`servers/${name}`, text)
    const lib = ['lib.es2023.d.ts']
    expect(findTypeErrors(join(project.path, 'servers'), { ...STRICTER, lib })).to.deep.equal([])
  }).timeout(240_000)

  it('can be required from CommonJS', () => {
    const file = write('common.cts', CONSUMERS['common.cts'] ?? '')
    const { outputText } = ts.transpileModule(CONSUMERS['common.cts'] ?? '', {
      compilerOptions: { module: ts.ModuleKind.Node16, target: ts.ScriptTarget.ES2023 },
      fileName: file,
    })
    write('common.cjs', outputText)
    const { stdout, stderr } = spawnSync(process.execPath, ['common.cjs'], {
      cwd: project.path,
      encoding: 'utf8',
    })
    expect(stdout, stderr).to.equal('true true grant missing_header\n')
  })

  it('runs the README’s examples: a guarded shop, a visiting agent, proofs, webhooks, a registration, a policy', async () => {
    const shop = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const values = { apiBase: service.baseUrl, counterpartyId }
    writeAll(buildReadmePrograms(values))
    const stall = await serve('shop.ts', { SVC_API_KEY: shop.apiKey })
    try {
      const anonymous = await fetch(`${stall.url}/catalogue`)
      expect([anonymous.status, (await anonymous.json()).code]).to.deep.equal([403, 'access_denied'])
      writeAll(buildReadmePrograms({ ...values, shop: stall.url }))
      const [agent, proven, owner, decided, webhooks] = await Promise.all([
        program('agent.ts', { AGENT_KEY: generatePrivateKey() }),
        program('proof.ts'),
        program('owner.ts', { OWNER_KEY: generatePrivateKey() }),
        program('decide.ts'),
        program('webhooks.ts'),
      ])
      expect(agent.visited).to.deep.equal({ status: 200, body: { verified: true, recommendation: 'grant' } })
      expect(agent.metadata['X-Svc-Id']).to.match(/^SVC-/)
      expect([agent.meta['X-Svc-Purpose'], agent.expiresIn]).to.deep.equal(['shopping:buy', 900])
      // No such agent is registered.
      expect(proven).to.include({ parts: 3, status: 403 })
      expect(proven.kid).to.match(/^[\w-]{43}$/)
      expect(owner.svcId).to.match(/^SVC-/)
      expect(decided.recommendation).to.equal('grant')
      expect(webhooks).to.deep.equal({ genuine: 204, forged: 401 })
    } finally {
      await stall.stop()
    }
  }).timeout(240_000)

  it('includes the command and a schema with every field of a policy', () => {
    write('policy.yaml', 'version: 1\npdlss:\n  purpose: { categories: [shopping] }\n')
    write('request.json', '{"purpose":"shopping"}')
    const command = join(project.path, 'node_modules/.bin/svc-policy')
    const ask = (...args: string[]) => spawnSync(command, args, { cwd: project.path, encoding: 'utf8' })
    const evaluated = ask('evaluate', 'policy.yaml', 'request.json')
    expect([evaluated.status, evaluated.stdout.slice(0, 5)]).to.deep.equal([0, 'grant'])
    const { version } = JSON.parse(readFileSync(join(project.built, 'package.json'), 'utf8'))
    expect(ask('--version').stdout).to.equal(`${version}\n`)
    const file = join(project.path, 'node_modules/@svc/client/policy.schema.json')
    const { properties } = JSON.parse(readFileSync(file, 'utf8'))
    const dimensions = ['purpose', 'duration', 'limits', 'scope', 'selfInstantiation']
    expect(Object.keys(properties.pdlss.properties)).to.deep.equal(dimensions)
    expect(properties.pdlss.additionalProperties).to.equal(false)
  })

  it('runs on Node 20 if it is installed', function () {
    const old = findNode(20)
    if (old === null) return this.skip()
    const text = `import { createPresenter } from '@svc/client'
import { compilePolicy } from '@svc/client/policy'
import { verifyWebhook } from '@svc/client/webhooks'
const { evaluate } = compilePolicy({ version: 1, pdlss: {} })
console.log(evaluate({}, { now: 0 }).recommendation, typeof verifyWebhook, typeof createPresenter)`
    write('old.mjs', text)
    const { stdout, stderr } = spawnSync(old, ['old.mjs'], { cwd: project.path, encoding: 'utf8' })
    expect(stdout, stderr).to.equal('grant function function\n')
    return undefined
  })

  /** Runs a program of the project and returns the JSON of its last line. */
  async function program(name: string, env: Record<string, string> = {}) {
    const options = { cwd: project.path, env: { ...process.env, ...env }, timeout: 60_000 }
    const { stdout } = await run(process.execPath, [name], options)
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }

  /** Starts a program of the project that prints its port. */
  async function serve(name: string, env: Record<string, string>) {
    const child = spawn(process.execPath, [name], {
      cwd: project.path,
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

/** Returns the external modules that a module and its imports load. */
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
