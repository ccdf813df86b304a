import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { createAgentClient, exportPublicKey, generateAgentKey } from '@svc/client'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { listen } from '../harness/peers/listen.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

describe('svc-gate as a process, with the service', function () {
  this.timeout(60_000)
  let service: StartedService
  let server: Awaited<ReturnType<typeof listen>>
  let gate: ChildProcess
  let url: string
  let endpoint: string
  let seen: unknown[] = []

  before(async () => {
    service = await startService()
    server = await listen((req, res) => {
      seen.push(req.headers['x-svc-identity-proof'])
      res.end('served')
    })
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    const { apiKey } = await createOrganisation(service.baseUrl)
    endpoint = await registerEndpoint(service.baseUrl, apiKey, {
      ...{ authorities: [new URL(url).host], minIdentityProof: 'signature' },
    })
    const args = ['--upstream', server.url, '--endpoint', endpoint, '--api', `${service.baseUrl}/api`]
    const places = ['--listen', `127.0.0.1:${port}`, '--admin', 'off']
    gate = spawn(process.execPath, ['gate/svc-gate.ts', ...args, ...places], {
      ...{ stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH, SVC_API_KEY: apiKey } },
    })
    if (gate.stdout === null) throw new Error('the gate has no output')
    const [line] = await once(createInterface(gate.stdout), 'line')
    expect(line).to.equal(`svc-gate guards ${server.url} as ${endpoint}: ${url}`)
  })
  beforeEach(() => {
    seen = []
  })
  after(async () => {
    if (gate?.exitCode === null && gate.kill('SIGKILL')) await once(gate, 'exit')
    await Promise.all([service?.stop(), server?.stop()])
  })

  it('passes a signed request and its body, and refuses a stolen name, a replay and another body', async () => {
    const key = await generateAgentKey()
    const agent = createAgentClient({
      ...{ apiBaseUrl: `${service.baseUrl}/api`, purpose: 'shopping:buy', key },
      account: privateKeyToAccount(generatePrivateKey()),
    })
    const { svcId } = await agent.register({
      ...{ name: 'Buyer', pdlss: { purpose: { categories: ['shopping'] } } },
      keys: [await exportPublicKey(key)],
    })
    const post: RequestInit = {
      method: 'POST',
      body: '{"total":20}',
      headers: { 'content-type': 'application/json' },
    }
    const granted = await agent.fetch(`${url}/orders?note=a%20b`, post)
    expect([granted.status, await granted.text()]).to.deep.equal([200, 'served'])
    expect(seen).to.deep.equal(['signature'])

    let signed: Request | undefined
    const keeping = createAgentClient({
      ...{ apiBaseUrl: `${service.baseUrl}/api`, purpose: 'shopping:buy', key, svcId },
      account: privateKeyToAccount(generatePrivateKey()),
      fetch: async (input, init) => {
        signed = new Request(input, init)
        return new Response()
      },
    })
    await keeping.fetch(`${url}/orders`, post)
    const headers = Object.fromEntries(signed?.headers ?? [])
    const forged = { ...post, headers, body: '{"total":99}' }
    expect((await fetch(`${url}/orders`, { ...post, headers })).status, 'signed').to.equal(200)
    expect((await fetch(`${url}/orders`, { ...post, headers })).status, 'replay').to.equal(403)
    expect((await fetch(`${url}/orders`, forged)).status, 'another body').to.equal(403)
    const named = await fetch(`${url}/orders`, {
      headers: { 'x-svc-id': svcId, 'x-svc-purpose': 'shopping:buy' },
    })
    expect(named.status, 'a name').to.equal(403)
    expect(seen).to.have.length(2)
  })

  it('does not start with a key that does not own the endpoint, or that nobody has, and says so in a sentence', async () => {
    const { apiKey } = await createOrganisation(service.baseUrl)
    const api = `${service.baseUrl}/api`
    const start = (key: string) =>
      runToEnd(['--upstream', server.url, '--endpoint', endpoint, '--api', api], { SVC_API_KEY: key })
    expect(await start(apiKey)).to.deep.equal({
      code: 2,
      text:
        `The API key does not own the endpoint ${endpoint} at ${api}: ` +
        'use a key of its owner, or correct the endpoint.\n',
    })
    expect(await start(`svc_live_${'x'.repeat(32)}`)).to.deep.equal({
      code: 2,
      text: `The registry at ${api} does not accept the API key: This service does not know this API key.\n`,
    })
    const mcp = await runToEnd(['mcp', '--endpoint', endpoint, '--api', api, '--', 'false'], {
      SVC_API_KEY: apiKey,
    })
    expect(mcp.code, mcp.text).to.equal(2)
  })

  it('starts without the registry, says so, and lets nothing through', async () => {
    const nowhere = `http://127.0.0.1:${await findFreePort()}/api`
    const port = await findFreePort()
    const lonely = spawn(
      process.execPath,
      ['gate/svc-gate.ts', '--upstream', server.url, '--endpoint', endpoint, '--api', nowhere].concat([
        ...['--listen', `127.0.0.1:${port}`, '--admin', 'off'],
      ]),
      { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, SVC_API_KEY: 'k' } },
    )
    try {
      const [warning] = await once(createInterface(lonely.stderr), 'line')
      expect(warning).to.equal(
        `Whether the API key owns ${endpoint} could not be checked at ${nowhere} (The service could not be reached.); ` +
          'the gate starts, and refuses requests until the registry answers.',
      )
      const [line] = await once(createInterface(lonely.stdout), 'line')
      expect(line).to.include(`svc-gate guards ${server.url}`)
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).to.equal(503)
    } finally {
      lonely.kill('SIGKILL')
    }
    expect(seen).to.deep.equal([])
  })

  it('ends when it is asked to, with 0', async () => {
    gate.kill('SIGTERM')
    const [code] = await once(gate, 'exit')
    expect(code).to.equal(0)
  })

  for (const [args, code, said] of [
    [['--help'], 0, /--upstream +SVC_GATE_UPSTREAM/],
    [['--upstream', 'x'], 2, /^upstream must be an origin.*\nTry "svc-gate --help".\n$/s],
  ] as const) {
    it(`exits with ${code} after ${args.join(' ')}`, async () => {
      const ended = await runToEnd(args)
      expect(ended.code).to.equal(code)
      expect(ended.text).to.match(said)
    })
  }
})

/** Runs the gate until it ends by itself; `text` is what it wrote. */
async function runToEnd(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['gate/svc-gate.ts', ...args], {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, ...env } },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk))
  const [code] = await once(child, 'close')
  return { code, text }
}
