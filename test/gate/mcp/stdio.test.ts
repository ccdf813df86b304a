import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js'
import { openAgentKey } from '@svc/client/node'
import { expect } from 'chai'
import { GRANT } from '../../client/gateway/openFakeService.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { AGENT, DENIAL, ENDPOINT, holdFor, openRegistry } from '../openRegistry.ts'
import { textOf } from './openMcpGate.ts'
import { REFERENCE_SERVER } from './startReferenceServer.ts'

const SUM = { name: 'get-sum', arguments: { a: 2, b: 3 } }
const ATTEMPT = '5f6c1f0e-7d0b-4d55-9f2e-0b1a8a1c9a11'
const BUYER = ['--agent', AGENT]

describe('svc-gate mcp before the command of a server', function () {
  this.timeout(30_000)
  const folder = createTemporaryFolder()
  let registry: Awaited<ReturnType<typeof openRegistry>>
  const clients: Client[] = []

  before(async () => {
    registry = await openRegistry(({ agentId, resource, attemptId }) => {
      if (agentId === undefined || resource === 'echo') return DENIAL
      return resource === '/held' && attemptId !== ATTEMPT ? holdFor(ATTEMPT) : GRANT
    })
  })
  afterEach(async () => {
    registry.asked.length = 0
    for (const client of clients.splice(0)) await client.close()
  })
  after(async () => {
    await registry.stop()
    folder.remove()
  })

  const argsOf = (more: readonly string[], server: readonly string[]) => [
    ...['gate/svc-gate.ts', 'mcp', '--endpoint', ENDPOINT, '--api', registry.gateway.apiBaseUrl],
    ...[...more, '--', process.execPath, ...server],
  ]
  const env = { PATH: process.env.PATH ?? '', SVC_API_KEY: 'secret', svc_api_key: 'secret', OWN: 'kept' }

  async function connect(
    more: readonly string[] = [],
    server = [REFERENCE_SERVER, 'stdio'],
  ): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: { url: {} } } })
    clients.push(client)
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: argsOf(more, server),
        env,
        stderr: 'ignore',
      }),
    )
    return client
  }

  it('passes granted calls of the agent that the settings name, signed with its key, and everything else', async () => {
    const keyFile = join(folder.path, 'agent.jwk')
    await openAgentKey(keyFile)
    const client = await connect([...BUYER, '--agent-key-file', keyFile])
    await client.ping()
    expect((await client.listResources()).resources).to.not.be.empty
    expect(textOf(await client.callTool(SUM))).to.equal('The sum of 2 and 3 is 5.')
    const [asked] = registry.asked
    expect(asked).to.include({ agentId: AGENT, purpose: 'tools:read', resource: 'get-sum' })
    const [, claims = ''] = asked?.intentProof?.split('.') ?? []
    expect(JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))).to.include({
      ...{ iss: AGENT, aud: ENDPOINT, purpose: 'tools:read', resource: 'get-sum' },
    })
  })

  it('refuses a call without an agent, shows it no tool, and lets a call name another agent', async () => {
    const client = await connect()
    expect((await client.listTools()).tools).to.deep.equal([])
    expect(textOf(await client.callTool(SUM))).to.equal('error: Refused: no agent')
    const named = { ...SUM, _meta: { 'X-Svc-Id': AGENT } }
    expect(textOf(await client.callTool(named))).to.equal('The sum of 2 and 3 is 5.')
  })

  it('leads to the approval of a held call, and passes the repeated one', async () => {
    const rules = join(folder.path, 'rules.json')
    writeFileSync(rules, JSON.stringify({ tools: { 'get-sum': { resource: '/held' } } }))
    const client = await connect([...BUYER, '--rules', rules])
    const held = await client.callTool(SUM).catch((error: unknown) => error)
    expect(held).to.be.instanceOf(UrlElicitationRequiredError)
    expect(textOf(await client.callTool(SUM))).to.equal('The sum of 2 and 3 is 5.')
  })

  it('gives the command neither the API key nor the settings of the gate', async () => {
    const rules = join(folder.path, 'rules.yaml')
    writeFileSync(rules, 'purposes: { readOnly: data:read }')
    const client = await connect([...BUYER, '--rules', rules])
    const seen = textOf(await client.callTool({ name: 'get-env', arguments: {} }))
    expect(seen).to.include('"OWN": "kept"').and.not.include('secret').and.not.include('SVC_')
    expect(registry.asked[0]).to.include({ purpose: 'data:read' })
  })

  it('answers the requests that a server leaves open when it ends, and ends with its code', async () => {
    const dying = `process.stdin.once('data', () => setTimeout(() => process.exit(7), 50))`
    const gate = spawn(process.execPath, argsOf(BUYER, ['-e', dying]), {
      stdio: ['pipe', 'pipe', 'ignore'],
      env,
    })
    let text = ''
    gate.stdout.on('data', (chunk) => (text += chunk))
    gate.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const [code] = await once(gate, 'close')
    expect(code).to.equal(7)
    expect(JSON.parse(text)).to.deep.equal({
      ...{ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'The server behind the gate has ended.' } },
    })
  })

  it('ends with the command, though a process of it goes on with its output open', async () => {
    const pidFile = join(folder.path, 'pid')
    const staying = `const { spawn } = require('node:child_process')
      const stdio = ['ignore', 'inherit', 'ignore']
      const { pid } = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio, detached: true })
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(pid))
      process.exit(7)`
    const gate = spawn(process.execPath, argsOf([...BUYER, '--grace', '1'], ['-e', staying]), {
      ...{ stdio: ['pipe', 'ignore', 'ignore'], env },
    })
    try {
      expect(await once(gate, 'close')).to.deep.equal([7, null])
    } finally {
      process.kill(Number(readFileSync(pidFile, 'utf8')))
    }
  })

  it('does not send on a call that was cancelled before its decision, nor what it cannot read', async () => {
    const echo = `process.stdin.on('data', (data) => process.stderr.write(data))`
    const gate = spawn(process.execPath, argsOf([...BUYER, '--response-timeout', '1'], ['-e', echo]), {
      ...{ stdio: 'pipe', env },
    })
    let [received, answered] = ['', '']
    gate.stderr.on('data', (chunk) => (received += chunk))
    gate.stdout.on('data', (chunk) => (answered += chunk))
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: SUM }
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const hidden = [
      { ...call, id: 2, method: 'ping', 'method\0': 'tools/call' },
      { ...call, id: 3, paramſ: { ...SUM, name: 'echo' } },
    ]
    const lines = [...hidden.map((one) => JSON.stringify(one)), '{"id":1,"id":2}', 'nonsense']
    gate.stdin.end([JSON.stringify(call), ...lines, JSON.stringify(cancelled), ''].join('\n'))
    await once(gate, 'close')
    expect(received).to.include('notifications/cancelled').and.not.include('tools/call')
    expect(answered.match(/"code":-\d+/g)).to.deep.equal([
      ...['"code":-32600', '"code":-32600', '"code":-32600', '"code":-32700'],
    ])
  })

  it('sends the messages of a batch one by one, and no line in which another server could see two', async () => {
    const echo = `process.stdin.on('data', (data) => process.stderr.write(data))`
    const gate = spawn(process.execPath, argsOf(['--response-timeout', '1'], ['-e', echo]), {
      stdio: 'pipe',
      env,
    })
    let [received, answered] = ['', '']
    gate.stderr.on('data', (chunk) => (received += chunk))
    gate.stdout.on('data', (chunk) => (answered += chunk))
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: SUM }
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
    const exact = '{"jsonrpc":"2.0", "method":"ping","id":4,"params":{"n":12345678901234567890,"x":1e999}}'
    const hidden = `{"jsonrpc":"2.0","method":"x","params":\r${JSON.stringify({ ...call, id: 9 })}\r}`
    gate.stdin.end(
      `[${JSON.stringify(call)},${JSON.stringify(ping)} , ${exact}]\n${hidden}\n${JSON.stringify({ ...ping, id: 3 })}\r\n`,
    )
    await once(gate, 'close')
    const lines = received.split('\n').filter((line) => line.includes('"ping"'))
    expect(lines.map((line) => JSON.parse(line).id)).to.deep.equal([2, 4, 3])
    expect(lines[1]).to.equal(exact)
    expect(received).to.not.include('tools/call')
    expect(answered).to.include('The line is not one line of UTF-8.').and.include('Refused: no agent')
  })

  it('refuses a call that its agent cannot sign', async () => {
    const keyFile = join(folder.path, 'other.jwk')
    await openAgentKey(keyFile)
    const rules = join(folder.path, 'amounts.yaml')
    writeFileSync(rules, 'tools: { get-sum: { amount: /a, currency: EUR } }')
    const client = await connect([...BUYER, '--agent-key-file', keyFile, '--rules', rules])
    const tooMuch = { name: 'get-sum', arguments: { a: Number.MAX_SAFE_INTEGER, b: 0 } }
    expect(textOf(await client.callTool(tooMuch))).to.equal('error: Refused: The call could not be verified.')
    expect(registry.asked).to.deep.equal([])
  })

  it('says which command cannot be run', async () => {
    const args = ['gate/svc-gate.ts', 'mcp', '--endpoint', ENDPOINT, '--api', registry.gateway.apiBaseUrl]
    const gate = spawn(process.execPath, [...args, '--', '/no/such/command'], { env })
    let text = ''
    gate.stderr.on('data', (chunk) => (text += chunk))
    const [code] = await once(gate, 'close')
    expect(code).to.equal(1)
    expect(text).to.include('/no/such/command cannot be run: ')
  })
})
