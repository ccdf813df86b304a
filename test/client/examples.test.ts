import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createAgentClient, generateAgentKey, signFetch } from '@svc/client'
import { expect } from 'chai'
import { enrolPasskey } from '../builders/enrolPasskey.ts'
import { isAsShown } from '../docs/followQuickstart.ts'
import { readBlocks } from '../docs/readBlocks.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { containsValue } from '../harness/values/containsValue.ts'
import { type ClientProject, installClient } from '../scripts/buildClient/installClient.ts'

/** The nth block of the page of the examples. */
const blockOf = (nth: number): string => readBlocks('examples/README.md')[nth]?.text ?? ''

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')

type Running = { output(): string; exited: Promise<number | null>; child: ChildProcess }

describe('the examples, with the installed library', () => {
  let project: ClientProject
  let service: StartedService
  let apiBaseUrl: string
  let settings: Record<string, string>
  let bearer: string
  let shopUrl: string
  let mcpUrl: string
  let owner: Awaited<ReturnType<typeof enrolPasskey>>
  const running: Running[] = []
  /** Both agents run at the same time, because each waits some seconds before it sends an order again. */
  let approved: Running
  let denied: Running
  /** The identity of both. */
  let svcId = ''

  before(async function () {
    this.timeout(240_000)
    project = await installClient()
    cpSync(EXAMPLES, join(project.path, 'examples'), { recursive: true })
    service = await startService()
    apiBaseUrl = `${service.baseUrl.replace('127.0.0.1', 'localhost')}/api`
    const setup = start('setup.ts', { SVC_API_BASE_URL: apiBaseUrl })
    expect(await setup.exited, setup.output()).to.equal(0)
    settings = Object.fromEntries(
      [...setup.output().matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    const { OWNER_EMAIL: email, OWNER_PASSWORD: password } = settings
    const signedIn = await api(service.baseUrl, 'POST', '/api/auth/login', { body: { email, password } })
    bearer = signedIn.body.data.accessToken
    owner = await enrolPasskey(service.baseUrl, bearer)
    ;[shopUrl, mcpUrl] = await Promise.all([serve('protected-shop/shop.ts'), serve('mcp-server/server.ts')])
    approved = runAgent()
    svcId = await waitUntil(async () => /registered as (\S+),/.exec(approved.output())?.[1] ?? null)
    denied = runAgent({ AGENT_SVC_ID: svcId })
  })
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await service?.stop()
    project?.remove()
  })

  function start(file: string, env: Record<string, string>): Running {
    const child = spawn(process.execPath, [join('examples', file)], {
      cwd: project.path,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const exited = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
    const started = { output: () => output, exited, child }
    running.push(started)
    return started
  }

  /** Starts a server of the examples and returns its URL. */
  async function serve(file: string): Promise<string> {
    const server = start(file, { ...settings, PORT: String(await findFreePort()) })
    return waitUntil(async () => {
      if (server.child.exitCode !== null) throw new Error(server.output())
      return /listening on (\S+)/.exec(server.output())?.[1] ?? null
    })
  }

  const runAgent = (more: Record<string, string> = {}) =>
    start('buying-agent/agent.ts', { ...settings, SHOP_URL: shopUrl, ...more })

  const approvalOf = (agent: Running) =>
    waitUntil(async () => {
      if (agent.child.exitCode !== null) throw new Error(agent.output())
      return /activity\/pending\/(\S+)/.exec(agent.output())?.[1] ?? null
    })

  /** Approves as the owner does in the dashboard. */
  async function approve(approvalId: string): Promise<void> {
    const path = `/api/step-up-approvals/${approvalId}`
    const { approval } = (await api(service.baseUrl, 'GET', path, { bearer })).body
    const response = owner.authenticator.assert(approval.assertionOptions)
    const given = await api(service.baseUrl, 'POST', `${path}/approve`, { bearer, body: { response } })
    expect(given.status).to.equal(200)
  }

  it('let the agent buy on its own, with its owner’s passkey, and never beyond its mandate', async () => {
    await approve(await approvalOf(approved))
    const code = await approved.exited
    const output = approved.output()
    expect(code, output).to.equal(0)
    for (const line of [
      /^1\. registered as SVC-\w{22}/m,
      /^2\. read the catalogue: 200$/m,
      /^3\. cable, .*: 201 ordered$/m,
      /^4\. monitor, .*: 202 step_up_required$/m,
      /approved, ordered for 240 EUR$/m,
      /^5\. workstation, .*: 403 deny$\n {5}pdlss\.limits: /m,
      /^everything went as expected$/m,
    ]) {
      expect(output).to.match(line)
    }
    const shown = blockOf(4)
      .replaceAll(/SVC-\w{22}/g, 'SVC-…')
      .replace(/score \d+/, 'score …')
      .replace(/http\S+/, '…')
    expect(isAsShown(output, shown), `${output}instead of\n${shown}`).to.equal(true)
  })

  it('make the agent fail when its owner denies', async () => {
    await api(service.baseUrl, 'POST', `/api/step-up-approvals/${await approvalOf(denied)}/deny`, { bearer })
    expect(await denied.exited, denied.output()).to.equal(1)
    expect(denied.output()).to.match(/refused: 403 .*NOT as expected/)
  })

  it('reveal nothing of the mandate to the shop’s caller', async () => {
    const client = createAgentClient({
      apiBaseUrl,
      svcId,
      purpose: 'shopping:buy',
    })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"sku":"workstation"}',
    }
    const refused = await client.fetch(`${shopUrl}/orders`, init)
    expect(refused.status).to.equal(403)
    const { sessionId: _, ...answer } = (await refused.json()) as Record<string, unknown>
    expect(answer.failures).to.have.length(1)
    const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`, { bearer })
    const values = valuesIn(body.agent.pdlss)
    expect(values).to.include.members(['60', '1500', '/orders'])
    for (const value of values) expect(containsValue(JSON.stringify(answer), value), value).to.equal(false)
  })

  it('read the bytes of a signed order, which the signature covers', async () => {
    const signed = signFetch(await generateAgentKey(), { agentId: svcId })
    const headers = { 'content-type': 'application/json' }
    await signed(`${shopUrl}/orders`, { method: 'POST', headers, body: '{"sku":"cable"}' })
    for (const one of running) expect(one.output()).to.not.include('a parser consumed the body')
  })

  it('refuse a caller that presents no identity', async () => {
    const { status, body } = await api(shopUrl, 'GET', '/catalogue')
    expect([status, body.code]).to.deep.equal([403, 'access_denied'])
    expect(body.advisory).to.be.an('object')
  })

  it('reject a body that is not JSON without revealing the shop’s path', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${shopUrl}/orders`, { method: 'POST', headers, body: '{"sku":' })
    expect([answer.status, await answer.json()]).to.deep.equal([
      400,
      { message: 'The request could not be handled.' },
    ])
  })

  it('serve MCP tools only to a verified agent', async () => {
    const client = createAgentClient({
      apiBaseUrl,
      svcId,
      purpose: 'shopping:buy',
    })
    const callTool = async (name: string, args: object, meta: object) => {
      const { body } = await api(mcpUrl, 'POST', '', {
        headers: { accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, ...meta } },
      })
      return { isError: body.result.isError === true, text: body.result.content[0].text as string }
    }
    const bought = await callTool('buy_product', { product: 'cable' }, client.mcpMeta())
    expect(bought).to.deep.equal({ isError: false, text: 'cable for 12 EUR, sold to Buying agent' })
    const browsed = await callTool('list_products', {}, client.mcpMeta({ purpose: 'shopping:browse' }))
    expect(browsed.isError).to.equal(false)
    const beyond = await callTool('buy_product', { product: 'workstation' }, client.mcpMeta())
    expect([beyond.isError, JSON.parse(beyond.text).failures[0].dimension]).to.deep.equal([
      true,
      'pdlss.limits',
    ])
    const held = await callTool('buy_product', { product: 'monitor' }, client.mcpMeta())
    const { code, stepUpApproval } = JSON.parse(held.text)
    expect([held.isError, code]).to.deep.equal([true, 'step_up_required'])
    await approve(stepUpApproval.approvalId)
    const again = client.mcpMeta({ attemptId: stepUpApproval.attemptId })
    const sold = await callTool('buy_product', { product: 'monitor' }, again)
    expect(sold.text).to.equal('monitor for 240 EUR, sold to Buying agent')
    for (const [name, args] of [
      ['buy_product', { product: 'cable' }],
      ['list_products', {}],
    ] as const) {
      const anonymous = await callTool(name, args, {})
      expect([anonymous.isError, JSON.parse(anonymous.text).code]).to.deep.equal([true, 'access_denied'])
    }
  })

  it('sell to an agent that calls the MCP server as the page shows', async () => {
    const command = blockOf(6).replace('http://localhost:4001/mcp', mcpUrl).replace('SVC-…', svcId)
    const { stdout } = await promisify(execFile)('bash', ['-euc', command])
    expect(JSON.parse(stdout).result.content[0].text).to.equal('cable for 12 EUR, sold to Buying agent')
  })

  it('name a missing setting', async () => {
    const started = ['protected-shop/shop.ts', 'buying-agent/agent.ts', 'mcp-server/server.ts'].map((file) =>
      start(file, {}),
    )
    expect(await Promise.all(started.map(({ exited }) => exited))).to.deep.equal([1, 1, 1])
    const names = started.map(({ output }) => /^(\w+) is not set/.exec(output())?.[1])
    expect(names).to.deep.equal(['SVC_API_KEY', 'AGENT_KEY', 'SVC_API_KEY'])
  })

  it('stop the servers on SIGTERM', async () => {
    const servers = running.filter(({ output }) => output().includes('listening on'))
    for (const { child } of servers) child.kill('SIGTERM')
    expect(await Promise.all(servers.map(({ exited }) => exited))).to.deep.equal([0, 0])
  })
})

/** Returns every value in a boundary, as text. */
function valuesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(valuesIn)
    : [String(value)]
}
