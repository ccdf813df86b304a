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
    const endpoint = await registerEndpoint(service.baseUrl, apiKey, {
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
      const child = spawn(process.execPath, ['gate/svc-gate.ts', ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let text = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
      const [exitCode] = await once(child, 'close')
      expect(exitCode).to.equal(code)
      expect(text).to.match(said)
    })
  }
})
