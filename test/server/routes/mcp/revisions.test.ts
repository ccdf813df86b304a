import { expect } from 'chai'
import { openMcp } from './openMcp.ts'

describe('the MCP server, in each of its revisions,', () => {
  let scene: Awaited<ReturnType<typeof openMcp>>

  before(async () => {
    scene = await openMcp()
  })
  after(() => scene.close())

  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

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
})
