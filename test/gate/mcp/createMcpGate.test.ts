import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import { GRANT } from '../../client/gateway/openFakeService.ts'
import { listen } from '../../harness/peers/listen.ts'
import { AGENT } from '../openRegistry.ts'
import { call, HEADERS, type McpServer, openMcpServer, resultOf } from './openMcpServer.ts'

describe('svc-gate mcp over HTTP', () => {
  let server: McpServer
  let opened: Awaited<ReturnType<McpServer['open']>>

  before(async () => {
    server = await openMcpServer()
  })
  afterEach(() => server.reset())
  after(() => server.stop())

  it('refuses a call whose header and metadata name different agents, before it asks', async () => {
    opened = await server.open()
    const other = `SVC-${'2'.repeat(22)}`
    const { text } = await server.post(call(1, 'buy', { _meta: { 'X-Svc-Id': other } }))
    expect(JSON.parse(text).result ?? JSON.parse(text).error).to.satisfy((answer: object) =>
      JSON.stringify(answer).includes('name different agents'),
    )
    expect(server.seen).to.deep.equal([])
    const same = await server.post(call(2, 'buy', { _meta: { 'X-Svc-Id': AGENT } }), { X_Svc_Id: other })
    expect(JSON.parse(same.text)).to.deep.equal(resultOf(2))
    expect(server.seen[0]?.headers).to.include({ 'x-svc-id': AGENT })
    expect(server.seen[0]?.headers).to.not.have.property('x_svc_id')
  })

  it('forwards the bytes that it has verified, with the decision, and without forged headers', async () => {
    opened = await server.open()
    const body = ` {"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"name":"buy","arguments":{"n":12345678901234567890}}}`
    const { status, text } = await server.post(body, {
      'x-svc-access-level': 'admin',
      'x-forwarded-for': '6.6.6.6',
    })
    expect([status, JSON.parse(text)]).to.deep.equal([200, resultOf(1)])
    expect(server.seen[0]?.body).to.equal(body)
    expect(server.seen[0]?.headers).to.include({
      ...{
        'x-svc-access-level': 'full',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': opened.url.host,
      },
    })
    await server.post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'x-svc-access-level': 'admin' })
    expect(server.seen[1]?.headers).to.not.have.property('x-svc-access-level')
  })

  it('verifies each call of a batch, sends the granted ones on, and answers the others in the same response', async () => {
    opened = await server.open({
      answer: ({ resource }) => (resource === 'buy' ? GRANT : { ...GRANT, recommendation: 'deny' }),
    })
    const { text } = await server.post([call(1), call(2, 'sell'), { jsonrpc: '2.0', id: 3, method: 'ping' }])
    expect(JSON.parse(server.seen[0]?.body ?? '').map(({ id }: { id: number }) => id)).to.deep.equal([1, 3])
    const answers: { id: number; result: { isError?: boolean } }[] = JSON.parse(text)
    expect(answers.map(({ id, result }) => [id, result.isError])).to.deep.equal([
      [2, true],
      [1, undefined],
      [3, undefined],
    ])
    expect(opened.asked.map(({ resource }) => resource)).to.deep.equal(['buy', 'sell'])
    const refused = await server.post([call(4, 'sell'), call(5, 'sell')])
    expect(JSON.parse(refused.text)).to.have.length(2)
    expect(server.seen).to.have.length(1)
    server.serve((_one, res) => res.writeHead(202).end())
    const noted = await server.post([call(6, 'sell'), { jsonrpc: '2.0', method: 'notifications/progress' }])
    expect([noted.status, JSON.parse(noted.text).length]).to.deep.equal([200, 1])
    server.serve((_one, res) =>
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify(resultOf(1))}\n\n`),
    )
    const streamed = await server.post([call(7, 'sell'), call(1)])
    expect(streamed.text.match(/"id":\d/g)).to.deep.equal(['"id":7', '"id":1'])
  })

  it('sends the granted messages of a batch as they were written and verified', async () => {
    opened = await server.open({
      answer: ({ resource }) => (resource === 'buy' ? GRANT : { ...GRANT, recommendation: 'deny' }),
    })
    const args = '{"n" :12345678901234567890,"x":1e999,"t":"],[\\"}"}'
    const kept = `{"jsonrpc":"2.0","id":1, "method":"tools/call","params":{"name":"buy","arguments":${args}}}`
    await server.post(
      `[ ${JSON.stringify(call(2, 'sell'))} , ${kept}\n,{"id":3,"method":"ping","params":{"a":[[1.0]]}}]`,
    )
    expect(server.seen[0]?.body).to.equal(`[${kept},{"id":3,"method":"ping","params":{"a":[[1.0]]}}]`)
  })

  it('takes a name that its header has in Base64, and the member of a purpose that the caller states for less than the rule', async () => {
    opened = await server.open()
    const name = `=?base64?${Buffer.from('kaufen für').toString('base64')}?=`
    const sent = { 'mcp-method': 'tools/call', 'mcp-name': name, 'x-svc-purpose': 'other:thing' }
    expect((await server.post(call(1, 'kaufen für'), sent)).status).to.equal(200)
    expect(opened.asked[0]).to.include({ resource: 'kaufen für', purpose: 'tools:destroy' })
  })

  it('reaches no other path than that of the server and of the metadata of its authorisation', async () => {
    opened = await server.open()
    server.serve((_one, res) => res.end('{}'))
    for (const [path, method, status] of [
      ['/sse', 'GET', 404],
      ['/message', 'POST', 404],
      ['/mcp/', 'POST', 404],
      ['/.well-known/oauth-protected-resource/mcp', 'GET', 200],
      ['/.well-known/oauth-protected-resource/mcp', 'POST', 404],
      ['/.well-known/oauth-authorization-server/..%2f..%2fsse', 'GET', 404],
      ['/mcp?x=1', 'GET', 200],
      ['/mcp?x=1#y', 'GET', 400],
      ['/mcp#y', 'POST', 400],
      ['/mcp', 'PUT', 405],
      ['/mcp', 'DELETE', 200],
    ] as const) {
      // Unlike `fetch`, it sends fragments.
      const sent = request({ port: opened.url.port, path, method, headers: HEADERS }).end()
      const [answer] = await once(sent, 'response')
      answer.resume()
      expect(answer.statusCode, `${method} ${path}`).to.equal(status)
    }
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /mcp?x=1',
      'DELETE /mcp',
    ])
  })

  it('refuses a change of the protocol', async () => {
    opened = await server.open()
    const socket = connect(Number(opened.url.port), '127.0.0.1')
    socket.write('GET /mcp HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).to.match(/^HTTP\/1.1 400 /)
    socket.destroy()
  })

  it('ends a stream that breaks off with errors for its requests, unless the client can resume it', async () => {
    opened = await server.open()
    let first = ': open\n\n'
    server.serve((_one, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(first)
      setImmediate(() => res.destroy())
    })
    const { text } = await server.post(call(1))
    expect(text).to.include('"id":1,"error":{"code":-32000')
    first = 'id: 7\ndata:\n\n'
    const resumable = await server.post(call(1)).catch((error: Error) => error.name)
    expect(resumable).to.equal('TypeError')
  })

  it('answers 502 or 504 with an error for each request if the server does not answer', async () => {
    opened = await server.open({ responseMs: 50 })
    server.serve(() => undefined)
    const late = await server.post([call(1), call(2)])
    expect([late.status, JSON.parse(late.text).length]).to.deep.equal([504, 2])
    expect(JSON.parse(late.text)[0]).to.deep.include({ id: 1 }).and.nested.include({ 'error.code': -32000 })
    server.serve((_one, res) => res.destroy())
    const notified = await server.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notified.status, JSON.parse(notified.text).id]).to.deep.equal([502, null])
  })

  it('filters a list in every form in which the server sends it, and marks it as private', async () => {
    opened = await server.open({ rules: { tools: { sell: { allowed: false } } } })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const tools = [{ name: 'buy' }, { name: 'sell' }]
    const answer = {
      jsonrpc: '2.0',
      id: 1,
      result: { tools, nextCursor: 'n', ttlMs: 1, cacheScope: 'public' },
    }
    server.serve(({ headers }, res) => {
      expect(headers).to.not.have.property('accept-encoding')
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    const { text, headers } = await server.post(list)
    expect(JSON.parse(text).result).to.deep.equal({
      ...{ tools: [{ name: 'buy' }], nextCursor: 'n', ttlMs: 1, cacheScope: 'private' },
    })
    expect(Number(headers.get('content-length'))).to.equal(text.length)
    const [half, rest] = [JSON.stringify(answer).slice(0, 40), JSON.stringify(answer).slice(40)]
    server.serve((_one, res) => {
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`id: 1\r\nevent: message\r\ndata: ${half}`)
      setImmediate(() => res.end(`${rest}\r\n\r\n: comment\n\ndata: {"jsonrpc":"2.0","method":"x"}\n\n`))
    })
    const streamed = await server.post(list)
    expect(streamed.text).to.match(
      /^id: 1\nevent: message\ndata: \{.*"tools":\[\{"name":"buy"\}\].*\}\n\n: comment\n\ndata: \{"jsonrpc":"2.0","method":"x"\}\n\n$/,
    )
    server.serve((_one, res) =>
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x'),
    )
    expect((await server.post(list)).status, 'compressed all the same').to.equal(502)
  })

  it('ends a list at the server if the client leaves', async () => {
    opened = await server.open()
    const leaving = new AbortController()
    const left = new Promise((resolve) => {
      server.serve((_one, res) => {
        res.once('close', resolve)
        res.writeHead(200, { 'content-type': 'application/json' }).write('{')
        setTimeout(() => leaving.abort(), 50)
      })
    })
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const asked = fetch(opened.url, { method: 'POST', headers: HEADERS, body: list, signal: leaving.signal })
    expect(await asked.catch((error: Error) => error.name)).to.equal('AbortError')
    await left
    expect(opened.warnings).to.deep.equal([])
  })

  it('reads what a protected server says of its tools for an authorised caller while it refuses others', async () => {
    const authorization = 'Bearer good'
    const protectedServer = await listen(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      if (req.headers.authorization !== authorization) return void res.writeHead(401).end()
      const { id, method } = JSON.parse(body)
      const tools = [{ name: 'buy', annotations: { readOnlyHint: true } }]
      const answer = method === 'tools/list' ? { jsonrpc: '2.0', id, result: { tools } } : resultOf(id)
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    try {
      opened = await server.open({}, protectedServer.url)
      await server.post(call(1))
      await server.post(call(2), { authorization })
      expect(opened.asked.map(({ purpose }) => purpose)).to.deep.equal(['tools:destroy', 'tools:read'])
    } finally {
      await protectedServer.stop()
    }
  })

  it('passes the result of a call that contains tools', async () => {
    opened = await server.open({ rules: { tools: { '*': { listedFor: 'nobody' }, buy: {} } } })
    const result = { content: [], tools: [{ name: 'hammer' }] }
    server.serve((_one, res) =>
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`),
    )
    const response = await fetch(opened.url, { headers: HEADERS })
    expect(await response.text()).to.include('hammer')
  })
})
