import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createOrganisation,
  registerAgent,
  registerEndpoint,
  signHeaders,
} from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'
import { callTool, openMcp, REGISTER_PATH, signedArguments } from './openMcp.ts'

describe('the MCP server', () => {
  let scene: Awaited<ReturnType<typeof openMcp>>

  before(async () => {
    scene = await openMcp()
  })
  after(() => scene.close())

  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('registers and verifies an agent for the official MCP client', async () => {
    const stranger = await scene.connect()
    const registered = await callTool(stranger, 'register_agent', await signedArguments({ name: 'Shopper' }))
    expect(registered.isError, JSON.stringify(registered.body)).to.equal(false)
    const { svcId } = registered.body.data.agent
    expect(svcId).to.match(/^SVC-[0-9A-Za-z]{22}$/)
    const counterpartyId = await registerEndpoint(scene.service.baseUrl, scene.shop.apiKey)
    const client = await scene.connect(scene.shop.apiKey)
    const { body } = await callTool(client, 'verify_agent', { agentId: svcId, counterpartyId })
    expect(body).to.include({ success: true, recommendation: 'grant' })
    expect(body.agent).to.include({ svcId, name: 'Shopper' })
    const record = await api(scene.service.baseUrl, 'GET', `/api/audit/records/${body.auditRecordId}`, {
      bearer: scene.shop.apiKey,
    })
    expect(record.status).to.equal(200)
  })

  it('lists its tools with the schemas of the API', async () => {
    const { tools } = await (await scene.connect()).listTools()
    expect(tools.map(({ name }) => name)).to.deep.equal([
      'register_agent',
      'verify_agent',
      'request_registration',
      'poll_registration',
      'search_docs',
    ])
    for (const { name, description, inputSchema } of tools) {
      expect(description, name).to.be.a('string').that.is.not.empty
      expect(inputSchema, name).to.include({ type: 'object' })
    }
    const verify = tools.find(({ name }) => name === 'verify_agent')
    expect(verify?.inputSchema.properties).to.include.keys('agentId', 'counterpartyId', 'purpose')
  })

  it('asks an owner to register an agent, and returns the state of the request', async () => {
    const client = await scene.connect()
    const asked = await callTool(client, 'request_registration', {
      agentName: 'Shopper',
      ownerEmail: `${randomUUID()}@people.io`,
    })
    expect(asked.isError, JSON.stringify(asked.body)).to.equal(false)
    const { requestId } = asked.body
    const polled = await callTool(client, 'poll_registration', { requestId })
    expect(polled.body).to.include({ success: true, requestId, status: 'pending' })
    const over = await api(scene.service.baseUrl, 'GET', `/api/agents/request-registration/${requestId}`)
    expect(over.body.status).to.equal('pending')
  })

  it('charges registration requests by e-mail to the budget of the API', async () => {
    const client = await scene.connect()
    const args = () => ({ agentName: 'Shopper', ownerEmail: `${randomUUID()}@people.io` })
    await callTool(client, 'request_registration', args())
    const { body, isError } = await callTool(client, 'request_registration', args())
    expect([isError, body.code]).to.deep.equal([true, 'RATE_LIMITED'])
    const over = await api(scene.service.baseUrl, 'POST', '/api/agents/request-registration', {
      body: args(),
    })
    expect(over.status).to.equal(429)
  })

  it('searches the documentation', async () => {
    const { body } = await callTool(await scene.connect(), 'search_docs', {
      query: 'nonce signed request',
      limit: 3,
    })
    expect(body.results).to.have.length(3)
    for (const { page, title, text } of body.results) {
      expect(page).to.match(/\.md$/)
      expect(title).to.be.a('string')
      expect(text).to.match(/sign|nonce|request/i)
    }
    for (const query of ['nonce_reused', 'IDEMPOTENCY_CONFLICT', 'redeliver']) {
      const found = await callTool(await scene.connect(), 'search_docs', { query })
      expect(found.body.results, query).not.to.deep.equal([])
      for (const { text, title } of found.body.results)
        expect(`${title} ${text}`).to.match(new RegExp(query, 'i'))
    }
    const none = await callTool(await scene.connect(), 'search_docs', { query: 'qzxwvk' })
    expect(none.body).to.deep.equal({ success: true, results: [] })
  })

  describe('rejects', () => {
    it('a signature over another text, and a signature that was already used', async () => {
      const client = await scene.connect()
      const signed = await signedArguments({ name: 'Shopper' })
      const changed = { ...signed, body: signed.body.replace('Shopper', 'Robber!') }
      expect((await callTool(client, 'register_agent', changed)).body.code).to.equal('invalid_signature')
      expect((await callTool(client, 'register_agent', signed)).isError).to.equal(false)
      expect((await callTool(client, 'register_agent', signed)).body.code).to.equal('nonce_reused')
    })

    it('an expired signature', async () => {
      const signer = privateKeyToAccount(generatePrivateKey())
      const body = JSON.stringify({ name: 'Shopper' })
      const timestamp = Math.floor(Date.now() / 1000) - 3600
      const headers = await signHeaders(signer, { method: 'POST', path: REGISTER_PATH, body, timestamp })
      const signature = headers['x-svc-signature']
      const args = { body, signature, timestamp: String(timestamp), nonce: headers['x-svc-nonce'] }
      expect((await callTool(await scene.connect(), 'register_agent', args)).body.code).to.equal(
        'signature_expired',
      )
    })

    for (const [what, text, code] of [
      ['is not JSON', '{"name":', 'MALFORMED_JSON'],
      ['has no name', '{"description":"x"}', 'VALIDATION_ERROR'],
      ['contains a NUL', '{"name":"a\\u0000b"}', 'VALIDATION_ERROR'],
    ] as const) {
      it(`a registration that ${what}`, async () => {
        const signer = privateKeyToAccount(generatePrivateKey())
        const headers = await signHeaders(signer, { method: 'POST', path: REGISTER_PATH, body: text })
        const { body, isError } = await callTool(await scene.connect(), 'register_agent', {
          body: text,
          signature: headers['x-svc-signature'],
          timestamp: headers['x-svc-timestamp'],
          nonce: headers['x-svc-nonce'],
        })
        expect([isError, body.code]).to.deep.equal([true, code])
      })
    }

    it('a registration or verification without an API key or signature', async () => {
      for (const client of [await scene.connect(), await scene.connect(scene.shop.accessToken)]) {
        for (const [name, args] of [
          ['register_agent', { body: '{"name":"Shopper"}' }],
          ['verify_agent', { agentId: 'SVC-0000000000000000000000' }],
        ] as const) {
          const { body, isError } = await callTool(client, name, args)
          expect([isError, body.code]).to.deep.equal([true, 'UNAUTHENTICATED'])
        }
      }
    })

    it('another account’s endpoint, with the error of the API', async () => {
      const stranger = await createOrganisation(scene.service.baseUrl)
      const counterpartyId = await registerEndpoint(scene.service.baseUrl, scene.shop.apiKey)
      const { svcId } = await registerAgent(scene.service.baseUrl)
      const client = await scene.connect(stranger.apiKey)
      const { body } = await callTool(client, 'verify_agent', { agentId: svcId, counterpartyId })
      expect(body.code).to.equal('COUNTERPARTY_KEY_MISMATCH')
      expect(body).to.include.keys('message', 'requestId')
    })

    it('invalid arguments, naming each of them', async () => {
      const wrong = { agentId: 5, counterpartyId: '' }
      const { body } = await callTool(await scene.connect(scene.shop.apiKey), 'verify_agent', wrong)
      expect(body.code).to.equal('VALIDATION_ERROR')
      const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer)
      expect(pointers).to.include.members(['/agentId', '/counterpartyId'])
      const register = await callTool(await scene.connect(), 'register_agent', { body: 5 })
      expect(register.body.code).to.equal('VALIDATION_ERROR')
      const poll = await callTool(await scene.connect(), 'poll_registration', {})
      expect(poll.body.code).to.equal('VALIDATION_ERROR')
      const search = await callTool(await scene.connect(), 'search_docs', { query: ' ', limit: 11 })
      expect(search.body.code).to.equal('VALIDATION_ERROR')
    })

    it('a poll of an unknown request', async () => {
      const { body } = await callTool(await scene.connect(), 'poll_registration', { requestId: randomUUID() })
      expect(body.code).to.equal('NOT_FOUND')
    })

    it('arguments that are not an object, as an error of the caller', async () => {
      for (const params of [
        undefined,
        {},
        { name: 5 },
        { name: 'search_docs', arguments: null },
        { name: 'search_docs', arguments: 'x' },
      ]) {
        const { status, body } = await scene.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
        expect([status, body.error?.code], JSON.stringify(params)).to.deep.equal([200, -32602])
      }
    })

    it('an unknown tool', async () => {
      const client = await scene.connect()
      for (const name of ['drop_everything', 'toString', '__proto__']) {
        const failed = await client.callTool({ name, arguments: {} }).catch((error: Error) => error)
        expect(String(failed)).to.include('Unknown tool')
      }
    })

    it('an invalid credential', async () => {
      const { status, body } = await scene.send(ping, { authorization: `Bearer svc_live_${'0'.repeat(32)}` })
      expect([status, body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
    })

    it('pages of other origins', async () => {
      for (const origin of ['https://evil.example', 'null', scene.service.baseUrl]) {
        const { status, body } = await scene.send(ping, { origin })
        expect([status, body.code], origin).to.deep.equal([403, 'FORBIDDEN'])
      }
      const own = scene.service.baseUrl.replace('127.0.0.1', 'localhost')
      // By default, `PUBLIC_URL` is localhost with the configured port.
      expect((await scene.send(ping, { origin: own })).status).to.equal(200)
    })

    it('an invalid message, a batch, and a message that is too long', async () => {
      for (const [body, status] of [
        [{}, 400],
        ['ping', 400],
        [[ping, ping], 400],
        [{ ...ping, params: { text: 'x'.repeat(300_000) } }, 413],
      ] as const) {
        expect((await scene.send(body)).status, JSON.stringify(body).slice(0, 40)).to.equal(status)
      }
      const text = await fetch(`${scene.service.baseUrl}/mcp`, { method: 'POST', body: '{"jsonrpc":' })
      expect(text.status).to.equal(415)
    })

    it('a media type or protocol version that it does not support', async () => {
      expect((await scene.send(ping, { accept: 'text/html' })).status).to.equal(406)
      expect((await scene.send(ping, { 'mcp-protocol-version': '1999-01-01' })).status).to.equal(400)
    })

    it('requests for an event stream or the end of a session, because it is stateless', async () => {
      for (const method of ['GET', 'DELETE']) {
        const { status, headers, body } = await api(scene.service.baseUrl, method, '/mcp')
        expect([status, headers.get('allow'), body.code]).to.deep.equal([405, 'POST', 'METHOD_NOT_ALLOWED'])
      }
    })
  })

  describe('of the revisions with a handshake', () => {
    const initialize = (params: unknown) =>
      scene.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    const client = { capabilities: {}, clientInfo: { name: 'test', version: '1' } }

    it('negotiates those that it serves, and proposes the newest of them for any other', async () => {
      for (const [requested, answered] of [
        ['2025-11-25', '2025-11-25'],
        ['2025-06-18', '2025-06-18'],
        ['2025-03-26', '2025-11-25'],
        ['2024-11-05', '2025-11-25'],
        ['2026-07-28', '2025-11-25'],
      ] as const) {
        const { status, body } = await initialize({ ...client, protocolVersion: requested })
        expect([status, body.result?.protocolVersion], requested).to.deep.equal([200, answered])
        expect(body.result.capabilities).to.deep.equal({ tools: {} })
      }
    })

    it('refuses an invalid initialize as invalid parameters', async () => {
      for (const params of [undefined, {}, client, { ...client, protocolVersion: 5 }]) {
        const { status, body } = await initialize(params)
        expect([status, body.error?.code], JSON.stringify(params)).to.deep.equal([200, -32602])
      }
    })

    it('refuses messages of a revision that requires batches', async () => {
      const { status, body } = await scene.send(ping, { 'mcp-protocol-version': '2025-03-26' })
      expect([status, body.error.code]).to.deep.equal([400, -32022])
      expect(body.error.data.supported).to.deep.equal(['2026-07-28', '2025-11-25', '2025-06-18'])
    })
  })

  describe('of the revision without a handshake', () => {
    const VERSION = '2026-07-28'
    const meta = (version = VERSION) => ({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    })
    const send = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
      scene.send(
        { jsonrpc: '2.0', id: 'a', method, params: { _meta: meta(), ...params } },
        { 'mcp-protocol-version': VERSION, 'mcp-method': method, ...headers },
      )

    it('says what it is, lists its tools and calls them, each request on its own', async () => {
      const { status, body } = await send('server/discover')
      expect([status, body.id, body.result.resultType]).to.deep.equal([200, 'a', 'complete'])
      expect(body.result.supportedVersions).to.deep.equal([VERSION, '2025-11-25', '2025-06-18'])
      expect(body.result).to.deep.include({ capabilities: { tools: {} }, cacheScope: 'public' })
      expect(body.result._meta['io.modelcontextprotocol/serverInfo'].name).to.equal('agent-registry')
      const listed = (await send('tools/list')).body.result
      expect(listed.tools.map(({ name }: { name: string }) => name)).to.include('search_docs')
      expect(listed.ttlMs).to.be.a('number')
      const params = { name: 'search_docs', arguments: { query: 'webhook' } }
      const called = (await send('tools/call', params, { 'mcp-name': 'search_docs' })).body.result
      expect([called.resultType, called.isError]).to.deep.equal(['complete', false])
      const encoded = `=?base64?${Buffer.from('search_docs').toString('base64')}?=`
      expect((await send('tools/call', params, { 'mcp-name': encoded })).body.result.isError).to.equal(false)
    })

    it('refuses headers that are missing or differ from the body', async () => {
      const call = { name: 'search_docs', arguments: { query: 'webhook' } }
      for (const [method, params, headers] of [
        ['tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }],
        ['tools/list', {}, { 'mcp-method': 'tools/call' }],
        ['tools/call', call, {}],
        ['tools/call', call, { 'mcp-name': 'verify_agent' }],
      ] as const) {
        const { status, body } = await send(method, params, headers)
        expect([status, body.error?.code], JSON.stringify(headers)).to.deep.equal([400, -32020])
      }
      const bare = await scene.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: { _meta: meta() },
      })
      expect([bare.status, bare.body.error.code]).to.deep.equal([400, -32020])
    })

    it('refuses other versions, incomplete requests, and unknown methods and tools', async () => {
      const other = await send(
        'tools/list',
        { _meta: meta('1900-01-01') },
        { 'mcp-protocol-version': '1900-01-01' },
      )
      expect([other.status, other.body.error.code, other.body.error.data.requested]).to.deep.equal([
        400,
        -32022,
        '1900-01-01',
      ])
      const incomplete = await send('tools/list', { _meta: {} })
      expect([incomplete.status, incomplete.body.error.code]).to.deep.equal([400, -32602])
      const unknown = await send('initialize')
      expect([unknown.status, unknown.body.error.code]).to.deep.equal([404, -32601])
      const tool = await send('tools/call', { name: 'toString' }, { 'mcp-name': 'toString' })
      expect([tool.status, tool.body.error.code]).to.deep.equal([200, -32602])
    })
  })

  it('accepts a notification without a response', async () => {
    const { status, body } = await scene.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([status, body]).to.deep.equal([202, null])
  })
})

describe('llms.txt', () => {
  it('is Markdown with links that exist', async () => {
    const service = await startService()
    try {
      const page = await fetch(`${service.baseUrl}/llms.txt`)
      expect(page.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
      const text = await page.text()
      expect(text).to.match(/^# .+\n\n> /)
      const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = '']) => new URL(link).pathname)
      expect(links).to.include.members(['/mcp', '/api/openapi.json', '/docs'])
      for (const path of links.filter((link) => link !== '/mcp')) {
        const response = await fetch(service.baseUrl + path)
        await response.body?.cancel()
        expect(response.status, path).to.be.below(500).and.not.equal(404)
      }
    } finally {
      await service.stop()
    }
  })
})
