import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { buildSnippets } from '../../../../../web/src/pages/overview/firstRun/buildSnippets.ts'
import { buildSampleAgent } from '../../../../../web/src/pages/overview/firstRun/sampleAgent.ts'
import type { Snippet } from '../../../../../web/src/parts/code/SnippetTabs.tsx'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../../builders/participants.ts'
import { listen } from '../../../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../../../../harness/runner/findFreePort.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../../../../harness/service/startService.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const NAME = 'Sample agent of Acme'
const run = promisify(execFile)

/** Follows the MCP snippet, whose transport it replaces by one in this process. */
const MCP_CALL = `
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
const client = new Client({ name: 'agent', version: '1' })
await client.connect(mine)
console.log(JSON.stringify(await client.callTool(PARAMS)))`

/** The command without npm, which would not pass on a signal before the service of a test ends. */
const asNode = (command: string): string =>
  command
    .replace('npm run svc-gate --', `"${process.execPath}" gate/svc-gate.ts`)
    .replace(/^(\w+=\S+) /, 'env $1 ')

describe('buildSnippets', () => {
  let service: StartedService
  let snippets: Snippet[]
  let apiKey: string
  const environment = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  }

  before(async function () {
    for (const tool of ['bash', 'curl']) {
      if (spawnSync(tool, ['--version']).error === undefined) continue
      console.log(`      skipped: ${tool} is not installed`)
      this.skip()
    }
    service = await startService()
    const shop = await createOrganisation(service.baseUrl)
    apiKey = shop.apiKey
    const svceId = await registerEndpoint(service.baseUrl, apiKey, { trustScoreRequirement: 40 })
    const { svcId: sampleAgentId } = await registerAgent(service.baseUrl, buildSampleAgent('Acme'))
    snippets = build({ apiKey, svceId, sampleAgentId })
  })
  after(() => service?.stop())

  const build = (input: { apiKey: string | null; svceId: string; sampleAgentId: string }) =>
    buildSnippets({ origin: service.baseUrl, counterpartyUrl: 'https://api.acme.io/v1', ...input })

  function find(id: string): Snippet {
    const snippet = snippets.find((one) => one.id === id)
    if (snippet === undefined) throw new Error(`no snippet ${id}`)
    return snippet
  }

  const runScript = (code: string) =>
    run(process.execPath, ['--input-type=module-typescript', '-e', code], { cwd: ROOT, env: environment })

  it('builds a curl request that is granted', async () => {
    const { stdout } = await run('bash', ['-euc', find('curl').code], { env: environment })
    const answer = JSON.parse(stdout)
    expect(answer).to.include({ recommendation: 'grant' })
    expect(answer.agent.name).to.equal(NAME)
  })

  for (const id of ['express', 'fastify']) {
    it(`builds a server with the ${id} gateway that serves the sample agent, and nobody without identity`, async () => {
      const port = await findFreePort()
      const { code, test } = find(id)
      const server: ChildProcess = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
        cwd: ROOT,
        env: { ...environment, PORT: String(port) },
        stdio: 'ignore',
      })
      try {
        const url = `http://localhost:${port}/`
        const anonymous = await waitUntil(() => fetch(url).catch(() => null))
        expect(anonymous.status).to.equal(403)
        const command = (test ?? '').replace('http://localhost:8080/', url)
        const { stdout } = await run('bash', ['-euc', command], { env: environment })
        expect(stdout)
          .to.match(/^HTTP\/1.1 200/)
          .and.include(JSON.stringify({ hello: NAME }))
      } finally {
        server.kill()
      }
    })
  }

  it('builds an nginx that serves the sample agent, and nobody without identity', async function () {
    if (spawnSync('nginx', ['-v']).error) return this.skip()
    const { code, start, test } = find('nginx')
    const [port, gatePort] = [await findFreePort(), await findFreePort()]
    const api = await listen((_req, res) => res.end('served'))
    const folder = createTemporaryFolder()
    const config = code
      .replace('127.0.0.1:8000', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8081', `127.0.0.1:${gatePort}`)
      .replace('127.0.0.1:8080', new URL(api.url).host)
    const file = join(folder.path, 'nginx.conf')
    writeFileSync(file, `pid ${folder.path}/pid; daemon off; events {} http { ${config} }`)
    const gate = spawn('bash', ['-euc', `exec ${asNode(start?.code ?? '')}`], {
      cwd: ROOT,
      env: { ...environment, SVC_GATE_LISTEN: `127.0.0.1:${gatePort}`, SVC_GATE_ADMIN: 'off' },
      stdio: 'ignore',
    })
    const nginx = spawn('nginx', ['-p', folder.path, '-e', 'stderr', '-c', file], { stdio: 'ignore' })
    try {
      const url = `http://localhost:${port}/`
      const command = (test ?? '').replace('http://localhost:8000/', url)
      const stdout = await waitUntil(async () => {
        const answer = await run('bash', ['-euc', command], { env: environment }).catch(() => null)
        // Until the gate listens, nginx has no permission to serve.
        return answer === null || answer.stdout.startsWith('HTTP/1.1 500') ? null : answer.stdout
      })
      expect(stdout).to.match(/^HTTP\/1.1 200[\s\S]*served$/)
      expect((await fetch(url)).status).to.equal(403)
    } finally {
      const ended = [nginx, gate].map((child) => once(child, 'exit'))
      for (const child of [nginx, gate]) child.kill()
      await Promise.all(ended)
      await api.stop()
      folder.remove()
    }
    return undefined
  })

  it('builds the nginx of the gate’s own example', () => {
    const example = readFileSync(join(ROOT, 'gate/examples/nginx.conf'), 'utf8')
    const read = (text: string) =>
      text
        .replaceAll(/#.*/g, '')
        .split(/[\n]+/)
        .map((line) => line.trim())
        .filter((line) => line !== '')
    expect(read(example).join('\n')).to.include(read(find('nginx').code).join('\n'))
  })

  it('builds a fetch handler that serves the sample agent', async () => {
    const { code, test } = find('fetch')
    const [, url] = test?.match(/curl -i '([^']+)'/) ?? []
    const headers = Object.fromEntries(
      [...(test ?? '').matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
    )
    const call = `const answer = await GET(new Request(${JSON.stringify(url)}, { headers: ${JSON.stringify(headers)} }))
console.log(await answer.text())`
    const { stdout } = await runScript(`${code}\n${call}`)
    expect(JSON.parse(stdout)).to.deep.equal({ hello: NAME })
  })

  it('builds an MCP server that serves the sample agent', async () => {
    const { code, test } = find('mcp')
    const inMemory = code
      .replace(
        "import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'",
        "import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'\nconst [mine, other] = InMemoryTransport.createLinkedPair()",
      )
      .replace('new StdioServerTransport()', 'other')
    const { stdout } = await runScript(
      inMemory + MCP_CALL.replace('PARAMS', JSON.stringify(JSON.parse(test ?? '').params)),
    )
    expect(JSON.parse(stdout).content).to.deep.equal([{ type: 'text', text: 'cable, monitor' }])
  })

  it('builds snippets with the key, or with a placeholder where it is not known', () => {
    const hasKey = (key: string) => (one: Snippet) => (one.code + one.start?.code).includes(key)
    expect(snippets.every(hasKey(apiKey))).to.equal(true)
    const unknown = build({ apiKey: null, svceId: 'SVCE-1', sampleAgentId: 'SVC-1' })
    expect(unknown.every(hasKey('YOUR_API_KEY'))).to.equal(true)
  })
})
