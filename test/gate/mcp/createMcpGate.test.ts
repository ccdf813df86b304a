import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import { GRANT } from '../../client/gateway/openFakeService.ts'
import { listen } from '../../harness/peers/listen.ts'
import { AGENT } from '../openRegistry.ts'
import { openMcpGate } from './openMcpGate.ts'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'x-svc-id': AGENT,
}

type Seen = { method: string; url: string; body: string; headers: IncomingMessage['headers'] }
type Serve = (seen: Seen, res: ServerResponse) => unknown

const call = (id: number, name = 'buy', more: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...more } },
})
const resultOf = (id: unknown) => ({ jsonrpc: '2.0', id, result: { content: [] } })

describe('svc-gate mcp over HTTP', () => {
  let opened: Awaited<ReturnType<typeof openMcpGate>>
  let server: Awaited<ReturnType<typeof listen>>
  let seen: Seen[] = []
  let serve: Serve

  before(async () => {
    server = await listen(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      const one = { method: req.method ?? '', url: req.url ?? '', body, headers: req.headers }
      // What the gate asks itself.
      if (body.includes('"svc-gate-')) return void res.writeHead(404).end()
      seen.push(one)
      serve(one, res)
    })
  })
  beforeEach(() => {
    seen = []
    serve = ({ body }, res) => {
      res.setHeader('content-type', 'application/json')
      const message = JSON.parse(body || '{}')
      res.end(
        JSON.stringify(Array.isArray(message) ? message.map(({ id }) => resultOf(id)) : resultOf(message.id)),
      )
    }
  })
  afterEach(() => opened?.stop())
  after(() => server.stop())

  const open = async (given: Parameters<typeof openMcpGate>[1] = {}) => {
    opened = await openMcpGate(new URL(`${server.url}/mcp`), given)
  }
  const post = async (body: unknown, headers: object = {}) => {
    const response = await fetch(opened.url, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body:
        typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('refuses a call whose header and metadata name different agents, before it asks', async () => {
    await open()
    const other = `SVC-${'2'.repeat(22)}`
    const { text } = await post(call(1, 'buy', { _meta: { 'X-Svc-Id': other } }))
    expect(JSON.parse(text).result ?? JSON.parse(text).error).to.satisfy((answer: object) =>
      JSON.stringify(answer).includes('name different agents'),
    )
    expect(seen).to.deep.equal([])
    const same = await post(call(2, 'buy', { _meta: { 'X-Svc-Id': AGENT } }), { X_Svc_Id: other })
    expect(JSON.parse(same.text)).to.deep.equal(resultOf(2))
    expect(seen[0]?.headers).to.include({ 'x-svc-id': AGENT })
    expect(seen[0]?.headers).to.not.have.property('x_svc_id')
  })

  it('forwards the bytes that it has verified, with the decision, and without forged headers', async () => {
    await open()
    const body = ` {"jsonrpc":"2.0", "id":1,"method":"tools/call","params":{"name":"buy","arguments":{"n":12345678901234567890}}}`
    const { status, text } = await post(body, { 'x-svc-access-level': 'admin', 'x-forwarded-for': '6.6.6.6' })
    expect([status, JSON.parse(text)]).to.deep.equal([200, resultOf(1)])
    expect(seen[0]?.body).to.equal(body)
    expect(seen[0]?.headers).to.include({
      ...{
        'x-svc-access-level': 'full',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': opened.url.host,
      },
    })
    await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'x-svc-access-level': 'admin' })
    expect(seen[1]?.headers).to.not.have.property('x-svc-access-level')
  })

  it('verifies each call of a batch, sends the granted ones on, and answers the others in the same response', async () => {
    await open({
      answer: ({ resource }) => (resource === 'buy' ? GRANT : { ...GRANT, recommendation: 'deny' }),
    })
    const { text } = await post([call(1), call(2, 'sell'), { jsonrpc: '2.0', id: 3, method: 'ping' }])
    expect(JSON.parse(seen[0]?.body ?? '').map(({ id }: { id: number }) => id)).to.deep.equal([1, 3])
    const answers: { id: number; result: { isError?: boolean } }[] = JSON.parse(text)
    expect(answers.map(({ id, result }) => [id, result.isError])).to.deep.equal([
      [2, true],
      [1, undefined],
      [3, undefined],
    ])
    expect(opened.asked.map(({ resource }) => resource)).to.deep.equal(['buy', 'sell'])
    const refused = await post([call(4, 'sell'), call(5, 'sell')])
    expect(JSON.parse(refused.text)).to.have.length(2)
    expect(seen).to.have.length(1)
    serve = (_one, res) => res.writeHead(202).end()
    const noted = await post([call(6, 'sell'), { jsonrpc: '2.0', method: 'notifications/progress' }])
    expect([noted.status, JSON.parse(noted.text).length]).to.deep.equal([200, 1])
    serve = (_one, res) =>
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify(resultOf(1))}\n\n`)
    const streamed = await post([call(7, 'sell'), call(1)])
    expect(streamed.text.match(/"id":\d/g)).to.deep.equal(['"id":7', '"id":1'])
  })

  it('sends the granted messages of a batch as they were written and verified', async () => {
    await open({
      answer: ({ resource }) => (resource === 'buy' ? GRANT : { ...GRANT, recommendation: 'deny' }),
    })
    const args = '{"n" :12345678901234567890,"x":1e999,"t":"],[\\"}"}'
    const kept = `{"jsonrpc":"2.0","id":1, "method":"tools/call","params":{"name":"buy","arguments":${args}}}`
    await post(
      `[ ${JSON.stringify(call(2, 'sell'))} , ${kept}\n,{"id":3,"method":"ping","params":{"a":[[1.0]]}}]`,
    )
    expect(seen[0]?.body).to.equal(`[${kept},{"id":3,"method":"ping","params":{"a":[[1.0]]}}]`)
  })

  for (const [problem, body, headers, status] of [
    ['text that is not JSON', '{"method":', {}, 400],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400],
    ['a message that is a text', '"tools/call"', {}, 400],
    ['an empty batch', '[]', {}, 400],
    ['a batch that is too long', Array.from({ length: 101 }, (_, id) => call(id)), {}, 400],
    ['a member with a name twice', '{"method":"ping","id":1,"method":"tools/call"}', {}, 400],
    ['a member with an escaped name twice', '{"method":"ping","m\\u0065thod":"tools/call"}', {}, 400],
    ['a nested member with a name twice', '{"id":1,"params":{"a":[{"x":1,"x":2}]}}', {}, 400],
    ['a member in another case', '{"Method":"tools/call","id":1}', {}, 400],
    ['a name in another case', call(1, 'buy', { Name: 'sell' }), {}, 400],
    ...['Method', 'method\0', 'method\0x', 'method2', 'me\u200dthod', 'ｍethod'].map(
      (name) =>
        [
          `a second method in ${JSON.stringify(name)}`,
          { ...call(1), method: 'ping', [name]: 'tools/call' },
          ...[{}, 400],
        ] as [string, object, object, number],
    ),
    ['params with a long s', { ...call(1), paramſ: { name: 'sell' } }, {}, 400],
    ['arguments with a long s', call(1, 'buy', { argumentſ: { n: 1 } }), {}, 400],
    ['metadata in full-width letters', call(1, 'buy', { '＿meta': {} }), {}, 400],
    ['a method that some take for a call', { ...call(1), method: 'tools/call\0x' }, {}, 400],
    ...[['tools/call'], { 0: 'tools/call' }, 1, null].map(
      (method) =>
        [`the method ${JSON.stringify(method)}`, { ...call(1), method }, {}, 400] as [
          ...[string, object, object, number],
        ],
    ),
    ['a name that some end at a NUL', call(1, 'buy\0x'), {}, 400],
    ['an agent twice', call(1, 'buy', { _meta: { 'X-Svc-Id': AGENT, 'x-svc-id': 'other' } }), {}, 400],
    ['an agent with a long s', call(1, 'buy', { _meta: { 'x-ſvc-id': AGENT } }), {}, 400],
    ['a token with a Kelvin sign', call(1, 'buy', { _meta: { 'x-svc-to\u212aen': 'x' } }), {}, 400],
    ['a call without an id', { ...call(1), id: null }, {}, 400],
    ['a call without a name', call(1, ''), {}, 400],
    ['arguments that are a list', call(1, 'buy', { arguments: [] }), {}, 400],
    ['another method in its header', call(1), { 'mcp-method': 'ping' }, 400],
    ['another name in its header', call(1), { 'mcp-method': 'tools/call', 'mcp-name': 'list' }, 400],
    ['a compressed body', call(1), { 'content-encoding': 'gzip' }, 415],
    ['another encoding of texts', call(1), { 'content-type': 'application/json; charset=utf-16' }, 415],
    ['a form', call(1), { 'content-type': 'text/plain' }, 415],
    ['a body that is too long', call(1, 'buy', { arguments: { text: 'x'.repeat(1_048_576) } }), {}, 413],
  ] as const) {
    it(`refuses ${problem}, without contacting the server`, async () => {
      await open()
      const answer = await post(body, headers)
      expect(answer.status).to.equal(status)
      expect(JSON.parse(answer.text)).to.have.nested.property('error.message')
      expect([seen, opened.asked]).to.deep.equal([[], []])
    })
  }

  for (const [problem, status, added, type] of [
    ['a second type of a body', 400, ['Content-Type', 'application/json; charset=utf-16']],
    ['a type of a body in the name that CGI uses', 400, ['Content_Type', 'application/json; charset=utf-16']],
    ['a coding of a body in the name that CGI uses', 415, ['Content_Encoding', 'gzip']],
    ['two encodings of texts', 415, [], 'application/json; charset=utf-8; charset=utf-16'],
  ] as const) {
    it(`refuses ${problem}, without a word to the server`, async () => {
      await open()
      const own = { ...HEADERS, 'content-type': type ?? HEADERS['content-type'], host: opened.url.host }
      const headers = [...Object.entries(own).flat(), ...added]
      const sent = request(opened.url, { method: 'POST', headers: headers as never })
      sent.end(JSON.stringify(call(1)))
      const [answer] = await once(sent, 'response')
      answer.resume()
      expect(answer.statusCode).to.equal(status)
      expect([seen, opened.asked]).to.deep.equal([[], []])
    })
  }

  it('takes a name that its header has in Base64, and the member of a purpose that the caller states for less than the rule', async () => {
    await open()
    const name = `=?base64?${Buffer.from('kaufen für').toString('base64')}?=`
    const sent = { 'mcp-method': 'tools/call', 'mcp-name': name, 'x-svc-purpose': 'other:thing' }
    expect((await post(call(1, 'kaufen für'), sent)).status).to.equal(200)
    expect(opened.asked[0]).to.include({ resource: 'kaufen für', purpose: 'tools:destroy' })
  })

  it('reaches no other path than that of the server and of the metadata of its authorisation', async () => {
    await open()
    serve = (_one, res) => res.end('{}')
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
    expect(seen.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /mcp?x=1',
      'DELETE /mcp',
    ])
  })

  it('refuses a change of the protocol', async () => {
    await open()
    const socket = connect(Number(opened.url.port), '127.0.0.1')
    socket.write('GET /mcp HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).to.match(/^HTTP\/1.1 400 /)
    socket.destroy()
  })

  it('ends a stream that breaks off with errors for its requests, unless the client can resume it', async () => {
    await open()
    let first = ': open\n\n'
    serve = (_one, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(first)
      setImmediate(() => res.destroy())
    }
    const { text } = await post(call(1))
    expect(text).to.include('"id":1,"error":{"code":-32000')
    first = 'id: 7\ndata:\n\n'
    const resumable = await post(call(1)).catch((error: Error) => error.name)
    expect(resumable).to.equal('TypeError')
  })

  it('answers 502 or 504 with an error for each request if the server does not answer', async () => {
    await open({ responseMs: 50 })
    serve = () => undefined
    const late = await post([call(1), call(2)])
    expect([late.status, JSON.parse(late.text).length]).to.deep.equal([504, 2])
    expect(JSON.parse(late.text)[0]).to.deep.include({ id: 1 }).and.nested.include({ 'error.code': -32000 })
    serve = (_one, res) => res.destroy()
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([notified.status, JSON.parse(notified.text).id]).to.deep.equal([502, null])
  })

  it('filters a list in every form in which the server sends it, and marks it as private', async () => {
    await open({ rules: { tools: { sell: { allowed: false } } } })
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const tools = [{ name: 'buy' }, { name: 'sell' }]
    const answer = {
      jsonrpc: '2.0',
      id: 1,
      result: { tools, nextCursor: 'n', ttlMs: 1, cacheScope: 'public' },
    }
    serve = ({ headers }, res) => {
      expect(headers).to.not.have.property('accept-encoding')
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }
    const { text, headers } = await post(list)
    expect(JSON.parse(text).result).to.deep.equal({
      ...{ tools: [{ name: 'buy' }], nextCursor: 'n', ttlMs: 1, cacheScope: 'private' },
    })
    expect(Number(headers.get('content-length'))).to.equal(text.length)
    const [half, rest] = [JSON.stringify(answer).slice(0, 40), JSON.stringify(answer).slice(40)]
    serve = (_one, res) => {
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`id: 1\r\nevent: message\r\ndata: ${half}`)
      setImmediate(() => res.end(`${rest}\r\n\r\n: comment\n\ndata: {"jsonrpc":"2.0","method":"x"}\n\n`))
    }
    const streamed = await post(list)
    expect(streamed.text).to.match(
      /^id: 1\nevent: message\ndata: \{.*"tools":\[\{"name":"buy"\}\].*\}\n\n: comment\n\ndata: \{"jsonrpc":"2.0","method":"x"\}\n\n$/,
    )
    serve = (_one, res) =>
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('x')
    expect((await post(list)).status, 'compressed all the same').to.equal(502)
  })

  it('ends a list at the server if the client leaves', async () => {
    await open()
    const leaving = new AbortController()
    const left = new Promise((resolve) => {
      serve = (_one, res) => {
        res.once('close', resolve)
        res.writeHead(200, { 'content-type': 'application/json' }).write('{')
        setTimeout(() => leaving.abort(), 50)
      }
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
      opened = await openMcpGate(new URL(`${protectedServer.url}/mcp`))
      await post(call(1))
      await post(call(2), { authorization })
      expect(opened.asked.map(({ purpose }) => purpose)).to.deep.equal(['tools:destroy', 'tools:read'])
    } finally {
      await protectedServer.stop()
    }
  })

  it('passes the result of a call that contains tools', async () => {
    await open({ rules: { tools: { '*': { listedFor: 'nobody' }, buy: {} } } })
    const result = { content: [], tools: [{ name: 'hammer' }] }
    serve = (_one, res) =>
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`)
    const response = await fetch(opened.url, { headers: HEADERS })
    expect(await response.text()).to.include('hammer')
  })
})
