import { UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'chai'
import { GRANT } from '../../client/gateway/openFakeService.ts'
import { AGENT, DENIAL, holdFor } from '../openRegistry.ts'
import { openMcpGate, textOf } from './openMcpGate.ts'
import { startReferenceServer } from './startReferenceServer.ts'

const NAMED = { 'X-Svc-Id': AGENT }
const SUM = { name: 'get-sum', arguments: { a: 2, b: 3 } }
const ATTEMPT = '5f6c1f0e-7d0b-4d55-9f2e-0b1a8a1c9a11'

describe('svc-gate mcp before the reference server, with the official client', function () {
  this.timeout(30_000)
  let server: Awaited<ReturnType<typeof startReferenceServer>>
  let opened: Awaited<ReturnType<typeof openMcpGate>>

  before(async () => {
    server = await startReferenceServer()
  })
  afterEach(() => opened?.stop())
  after(() => server?.stop())

  it('passes a granted call with its result, progress and session, and asks with the hints of the tool', async () => {
    opened = await openMcpGate(server.url)
    const client = await opened.connect(NAMED)
    expect(textOf(await client.callTool(SUM))).to.equal('The sum of 2 and 3 is 5.')
    expect(opened.asked[0]).to.include({ agentId: AGENT, purpose: 'tools:read', resource: 'get-sum' })
    const progress: number[] = []
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 2 } }
    const done = await client.callTool(long, undefined, {
      onprogress: (one) => void progress.push(one.progress),
    })
    expect(textOf(done)).to.match(/^Long running operation completed/)
    expect(progress).to.deep.equal([1, 2])
    expect(client.http.sessionId).to.be.a('string')
    await client.http.terminateSession()
  })

  it('passes everything else unchanged: resources, prompts, pings and completions', async () => {
    opened = await openMcpGate(server.url)
    const client = await opened.connect(NAMED)
    await client.ping()
    const { resources } = await client.listResources()
    expect(resources).to.not.be.empty
    expect((await client.readResource({ uri: resources[0]?.uri ?? '' })).contents).to.not.be.empty
    expect((await client.listPrompts()).prompts).to.not.be.empty
    expect(opened.asked).to.deep.equal([])
  })

  it('refuses the call of a caller without an agent, in words, and shows it no tool', async () => {
    opened = await openMcpGate(server.url)
    const client = await opened.connect()
    expect(textOf(await client.callTool(SUM))).to.equal('error: Refused: no agent')
    expect((await client.listTools()).tools).to.deep.equal([])
    const dryRuns = opened.asked.filter(({ dryRun }) => dryRun)
    await client.listTools()
    expect(opened.asked.filter(({ dryRun }) => dryRun)).to.have.length(dryRuns.length)
    expect(await opened.metrics()).to.include('svc_gate_requests_total{outcome="refused"} 1')
  })

  it('shows an agent every tool except those that the rules hide or the registry has refused to it', async () => {
    opened = await openMcpGate(server.url, {
      answer: ({ resource }) =>
        resource === 'echo'
          ? {
              ...DENIAL,
              access: {
                ...DENIAL.access,
                failures: [
                  { dimension: 'pdlss.scope', message: 'Not in scope.', guidance: 'Ask the owner.' },
                ],
              },
            }
          : GRANT,
      rules: {
        tools: { 'get-env': { allowed: false }, 'get-tiny*': { listedFor: 'nobody' }, '*-image': {} },
      },
    })
    const client = await opened.connect(NAMED)
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    const before = await names()
    expect(before)
      .to.include.members(['echo', 'get-sum'])
      .and.not.include.members(['get-env', 'get-tiny-image'])
    const echo = { name: 'echo', arguments: { message: 'hi' } }
    expect(textOf(await client.callTool(echo))).to.equal(
      'error: Refused: no agent Not in scope. Ask the owner.',
    )
    expect(await names()).to.deep.equal(before.filter((name) => name !== 'echo'))
    expect(textOf(await client.callTool({ name: 'get-env', arguments: {} }))).to.equal(
      'error: Refused: This tool is not available.',
    )
    expect(opened.asked.map(({ resource }) => resource)).to.deep.equal(['echo'])
    const other = await opened.connect(NAMED)
    expect((await other.listTools()).tools.map(({ name }) => name)).to.include('echo')
  })

  it('leads the user of a client that can open addresses to the approval, and passes the repeated call', async () => {
    opened = await openMcpGate(server.url, {
      answer: ({ attemptId }) => (attemptId === ATTEMPT ? GRANT : holdFor(ATTEMPT)),
    })
    const client = await opened.connect(NAMED, { elicitation: { url: {} } })
    const held = await client.callTool(SUM).catch((error: unknown) => error)
    if (!(held instanceof UrlElicitationRequiredError)) throw new Error(`not held: ${held}`)
    expect(held.elicitations[0]).to.include({
      ...{ mode: 'url', elicitationId: 'ap-1', url: 'https://registry.example/activity/pending/ap-1' },
    })
    const other = { name: 'get-sum', arguments: { a: 2, b: 4 } }
    const otherHeld = await client.callTool(other).catch((error: unknown) => error)
    expect(otherHeld, 'another call').to.be.instanceOf(UrlElicitationRequiredError)
    expect(textOf(await client.callTool(SUM))).to.equal('The sum of 2 and 3 is 5.')
    expect(opened.asked.map(({ attemptId }) => attemptId)).to.deep.equal([undefined, undefined, ATTEMPT])
  })

  it('names the address of the approval to any other client, and takes the attempt from the call too', async () => {
    opened = await openMcpGate(server.url, {
      answer: ({ attemptId }) => (attemptId === ATTEMPT ? GRANT : holdFor(ATTEMPT)),
    })
    const client = await opened.connect(NAMED)
    expect(textOf(await client.callTool(SUM))).to.match(
      /^error: The owner .* The approval is at https:\/\/registry\.example\/activity\/pending\/ap-1$/,
    )
    const other = await opened.connect(NAMED)
    expect(textOf(await other.callTool(SUM)), 'another session').to.match(/^error: /)
    const repeated = { ...SUM, _meta: { 'X-Svc-Attempt-Id': ATTEMPT } }
    expect(textOf(await other.callTool(repeated))).to.equal('The sum of 2 and 3 is 5.')
  })

  it('asks with one hash for equal calls, and another for each other tool and arguments', async () => {
    opened = await openMcpGate(server.url)
    const client = await opened.connect(NAMED)
    const hashOf = async (call: typeof SUM) => {
      await client.callTool(call)
      return opened.asked.at(-1)?.callHash
    }
    const first = await hashOf(SUM)
    expect(first).to.match(/^[0-9a-f]{64}$/)
    expect(await hashOf({ ...SUM, _meta: { 'X-Svc-Purpose': 'a' } } as typeof SUM)).to.equal(first)
    const otherTool = await hashOf({ ...SUM, name: 'get-sums' })
    const otherArguments = await hashOf({ ...SUM, arguments: { a: 2, b: 4 } })
    expect(new Set([first, otherTool, otherArguments]).size).to.equal(3)
  })

  it('asks with the purpose, resource and amount that the rules find in the arguments', async () => {
    const rule = {
      purpose: 'shopping:buy',
      resource: '/orders',
      amount: '/a',
      minorDigits: 2,
      currency: 'EUR',
    }
    opened = await openMcpGate(server.url, { rules: { tools: { 'get-sum': rule } } })
    const client = await opened.connect(NAMED)
    await client.callTool({ name: 'get-sum', arguments: { a: 1999, b: 1 } })
    expect(opened.asked[0]).to.include({
      ...{ purpose: 'shopping:buy', resource: '/orders', transactionValue: 19.99, currency: 'EUR' },
    })
    expect(textOf(await client.callTool({ name: 'get-sum', arguments: { b: 1 } }))).to.equal(
      'error: Refused: The arguments must have an amount at /a.',
    )
    expect(opened.asked).to.have.length(1)
  })

  it('lets an agent that may only read call tools that only read', async () => {
    const access = { allowed: true, accessLevel: 'read-only', reason: '' }
    const routes = [{ pattern: 'echo', minAccessLevel: 'full' }]
    opened = await openMcpGate(server.url, { answer: () => ({ ...GRANT, access }), routes })
    const client = await opened.connect(NAMED)
    expect(textOf(await client.callTool(SUM))).to.equal('The sum of 2 and 3 is 5.')
    const echoed = await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
    expect(textOf(echoed), 'a route').to.match(/^error: Refused: The access level read-only is too low/)
    const { tools } = await client.listTools()
    const writing = tools.find(({ annotations }) => annotations?.readOnlyHint !== true)
    expect(textOf(await client.callTool({ name: writing?.name ?? '', arguments: {} }))).to.match(
      /^error: Refused: The access level read-only is too low/,
    )
  })

  it('refuses every call while there is no decision', async () => {
    opened = await openMcpGate(server.url, { answer: () => ({ nonsense: true }) })
    const client = await opened.connect(NAMED)
    expect(textOf(await client.callTool(SUM))).to.equal(
      'error: Refused: The request could not be verified; try again later.',
    )
    expect(await opened.metrics()).to.include('svc_gate_requests_total{outcome="undecided"} 1')
  })

  it('filters the list in a stream that a client resumes', async () => {
    opened = await openMcpGate(server.url, { rules: { tools: { '*': { listedFor: 'nobody' } } } })
    const client = await opened.connect(NAMED)
    const session = { 'mcp-session-id': client.http.sessionId ?? '', 'mcp-protocol-version': '2025-11-25' }
    const accept = 'application/json, text/event-stream'
    const listed = await fetch(opened.url, {
      method: 'POST',
      headers: { ...session, accept, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 'list', method: 'tools/list' }),
    })
    const text = await listed.text()
    expect(text).to.include('"tools":[]')
    const [, first = ''] = /^id: (\S+)/m.exec(text) ?? []
    const resumed = await fetch(opened.url, { headers: { ...session, accept, 'last-event-id': first } })
    const reader = resumed.body?.pipeThrough(new TextDecoderStream()).getReader()
    let replayed = ''
    while (!replayed.includes('"tools":')) replayed += (await reader?.read())?.value ?? ''
    expect(replayed).to.include('"tools":[]')
    await reader?.cancel()
  })

  it('answers with an error when the server dies, and works again once it is back', async () => {
    const mortal = await startReferenceServer()
    opened = await openMcpGate(mortal.url)
    const client = await opened.connect(NAMED)
    await mortal.stop()
    const failed = await client.callTool(SUM).catch((error: Error) => error.message)
    expect(failed).to.include('The server behind the gate did not answer.')
    const back = await startReferenceServer(mortal.port)
    const again = await opened.connect(NAMED)
    expect(textOf(await again.callTool(SUM))).to.equal('The sum of 2 and 3 is 5.')
    await back.stop()
  })
})
