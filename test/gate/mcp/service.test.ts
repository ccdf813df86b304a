import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type ClientCapabilities, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js'
import {
  type AgentKey,
  createIntentProof,
  createPresenter,
  exportPublicKey,
  generateAgentKey,
  signFetch,
} from '@svc/client'
import { expect } from 'chai'
import { registerEndpoint } from '../../builders/participants.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'
import {
  type Owner,
  type OwnerScene,
  openOwnerScene,
} from '../../server/services/approvals/openOwnerScene.ts'
import { textOf } from './openMcpGate.ts'
import { startReferenceServer } from './startReferenceServer.ts'

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/gate.md'), 'utf8')
const PDLSS = {
  purpose: { categories: ['shopping', 'data'] },
  limits: { autonomousThreshold: 60, approvalThreshold: 1_500, currency: 'EUR' },
  scope: { resources: ['/orders', 'echo'] },
}
const OPENS_URLS: ClientCapabilities = { elicitation: { url: {} } }
type Refused = { 'X-Svc-Refusal': { stepUpApproval: { approvalId: string; attemptId: string } } }
const buy = (amount: number) => ({ name: 'get-sum', arguments: { a: amount, b: 0 } })

describe('svc-gate mcp, started as its page says, with the service', function () {
  this.timeout(60_000)
  const folder = createTemporaryFolder()
  const clients: Client[] = []
  let scene: OwnerScene
  let owner: Owner
  let server: Awaited<ReturnType<typeof startReferenceServer>>
  let gate: ChildProcess
  let url: URL
  let endpoint: string
  let agentId: string
  let key: AgentKey

  before(async () => {
    const port = await findFreePort()
    ;[scene, server] = await Promise.all([openOwnerScene(), startReferenceServer()])
    url = new URL(`http://127.0.0.1:${port}/mcp`)
    endpoint = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { authorities: [url.host] })
    key = await generateAgentKey()
    owner = await scene.owner()
    agentId = await owner.agent({ pdlss: PDLSS, keys: [await exportPublicKey(key)] })
    const [, example = ''] = /^(svc-gate mcp --upstream .*)$/m.exec(DOCS) ?? []
    const [, rules = ''] = /```yaml\n(purposes: .*?)```/s.exec(DOCS) ?? []
    writeFileSync(join(folder.path, 'rules.yaml'), rules)
    const [, ...args] = example
      .replace('http://127.0.0.1:9000/mcp', server.url.href)
      .replace('SVCE-…', endpoint)
      .replace('https://registry.example/api', `${scene.baseUrl}/api`)
      .split(' ')
    const program = join(import.meta.dirname, '../../../gate/svc-gate.ts')
    gate = spawn(process.execPath, [program, ...args, '--listen', url.host, '--admin', 'off'], {
      ...{ cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit'] },
      env: { PATH: process.env.PATH, SVC_API_KEY: scene.shop.apiKey },
    })
    if (gate.stdout === null) throw new Error('the gate has no output')
    const [line] = await once(createInterface(gate.stdout), 'line')
    expect(line).to.equal(`svc-gate guards the tools of ${server.url.href} as ${endpoint}: ${url.origin}`)
  })
  after(async () => {
    await Promise.all(clients.map((client) => client.close()))
    if (gate?.exitCode === null && gate.kill('SIGTERM')) await once(gate, 'exit')
    await Promise.all([scene?.service.stop(), server?.stop()])
    folder.remove()
  })

  async function connect(
    fetchIt: typeof fetch = fetch,
    capabilities: ClientCapabilities = OPENS_URLS,
  ): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { capabilities })
    await client.connect(
      new StreamableHTTPClientTransport(url, { fetch: (input, init) => fetchIt(input, init) }),
    )
    clients.push(client)
    return client
  }

  /** Connects as the agent; what it sends is signed with the key, if there is one. */
  function connectAgent(signingKey?: AgentKey, capabilities?: ClientCapabilities): Promise<Client> {
    const verifyUrl = `${scene.baseUrl}/api/agents/verify-access`
    const sender = signingKey === undefined ? fetch : signFetch(signingKey, { agentId })
    const presenter = createPresenter({ svcId: agentId, verifyUrl }, sender)
    return connect(presenter.fetch as typeof fetch, capabilities)
  }

  it('refuses callers without an agent, and those that only name one or sign with another key', async () => {
    const anonymous = await connect()
    expect(textOf(await anonymous.callTool(buy(20)))).to.match(/^error: Refused: /)
    const named = await connectAgent()
    expect(textOf(await named.callTool(buy(20)))).to.match(/^error: Refused: .*proof/s)
    const forging = await connectAgent(await generateAgentKey())
    expect(textOf(await forging.callTool(buy(20)))).to.match(/^error: Refused: /)
  })

  it('passes signed calls within the mandate, and refuses those beyond', async () => {
    const client = await connectAgent(key)
    const tools = (await client.listTools()).tools.map(({ name }) => name)
    expect(tools).to.include.members(['get-sum', 'echo']).and.not.include('get-env')
    expect(textOf(await client.callTool(buy(20)))).to.equal('The sum of 20 and 0 is 20.')
    expect(textOf(await client.callTool({ name: 'echo', arguments: { message: 'hi' } }))).to.equal('Echo: hi')
    expect(textOf(await client.callTool(buy(2_000)))).to.match(/^error: Refused: The value or currency/)
    const image = { name: 'get-tiny-image', arguments: {} }
    expect(textOf(await client.callTool(image)), 'out of scope').to.match(/^error: Refused: /)
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(
      tools.filter((name) => name !== 'get-tiny-image'),
    )
  })

  it('holds a call until the owner has approved it, and then passes the repeated call once', async () => {
    const client = await connectAgent(key)
    const held = await client.callTool(buy(240)).catch((error: unknown) => error)
    if (!(held instanceof UrlElicitationRequiredError)) throw new Error(`not held: ${JSON.stringify(held)}`)
    const [elicitation] = held.elicitations
    expect(elicitation?.url).to.match(/\/activity\/pending\//)
    const again = await client.callTool(buy(240)).catch((error: unknown) => error)
    expect(again, 'not yet approved').to.be.instanceOf(UrlElicitationRequiredError)
    expect((await owner.approve(elicitation?.elicitationId ?? '')).status).to.equal(200)
    expect(textOf(await client.callTool(buy(240)))).to.equal('The sum of 240 and 0 is 240.')
    const next = await client.callTool(buy(240)).catch((error: unknown) => error)
    expect(next, 'approved once').to.be.instanceOf(UrlElicitationRequiredError)
  })

  it('refuses the attempt of an approved call with other arguments, also if the client sends it itself', async () => {
    const client = await connectAgent(key, {})
    const held = (await client.callTool(buy(250)))._meta as Refused
    const { approvalId, attemptId } = held['X-Svc-Refusal'].stepUpApproval
    expect((await owner.approve(approvalId)).status).to.equal(200)
    const _meta = { 'X-Svc-Attempt-Id': attemptId }
    const other = { ...buy(250), arguments: { a: 250, b: 1 }, _meta }
    expect(textOf(await client.callTool(other))).to.equal(
      'error: Refused: The attempt id belongs to a different request.',
    )
    const elsewhere = await connectAgent(key)
    expect(textOf(await elsewhere.callTool({ ...buy(250), _meta }))).to.equal('The sum of 250 and 0 is 250.')
  })

  it('takes an intent proof in _meta, and refuses one that states another amount, or is sent twice', async () => {
    const client = await connect()
    const prove = async (amount: number) => {
      const facts = { purpose: 'shopping:buy', resource: '/orders', amount, currency: 'EUR' }
      const proof = await createIntentProof(key, { agentId, audience: endpoint, ...facts })
      return { 'X-Svc-Id': agentId, 'X-Svc-Proof': proof }
    }
    const _meta = await prove(20)
    expect(textOf(await client.callTool({ ...buy(20), _meta }))).to.equal('The sum of 20 and 0 is 20.')
    expect(textOf(await client.callTool({ ...buy(20), _meta })), 'sent twice').to.match(/^error: Refused: /)
    const other = { ...buy(30), _meta: await prove(20) }
    expect(textOf(await client.callTool(other)), 'another amount').to.match(/^error: Refused: /)
  })
})
