import { once } from 'node:events'
import { request } from 'node:http'
import { expect } from 'chai'
import { AGENT } from '../openRegistry.ts'
import { call, HEADERS, type McpServer, openMcpServer } from './openMcpServer.ts'

describe('svc-gate mcp over HTTP', () => {
  let server: McpServer
  let opened: Awaited<ReturnType<McpServer['open']>>

  before(async () => {
    server = await openMcpServer()
  })
  afterEach(() => server.reset())
  after(() => server.stop())

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
      opened = await server.open()
      const answer = await server.post(body, headers)
      expect(answer.status).to.equal(status)
      expect(JSON.parse(answer.text)).to.have.nested.property('error.message')
      expect([server.seen, opened.asked]).to.deep.equal([[], []])
    })
  }

  for (const [problem, status, added, type] of [
    ['a second type of a body', 400, ['Content-Type', 'application/json; charset=utf-16']],
    ['a type of a body in the name that CGI uses', 400, ['Content_Type', 'application/json; charset=utf-16']],
    ['a coding of a body in the name that CGI uses', 415, ['Content_Encoding', 'gzip']],
    ['two encodings of texts', 415, [], 'application/json; charset=utf-8; charset=utf-16'],
  ] as const) {
    it(`refuses ${problem}, without a word to the server`, async () => {
      opened = await server.open()
      const own = { ...HEADERS, 'content-type': type ?? HEADERS['content-type'], host: opened.url.host }
      const headers = [...Object.entries(own).flat(), ...added]
      const sent = request(opened.url, { method: 'POST', headers: headers as never })
      sent.end(JSON.stringify(call(1)))
      const [answer] = await once(sent, 'response')
      answer.resume()
      expect(answer.statusCode).to.equal(status)
      expect([server.seen, opened.asked]).to.deep.equal([[], []])
    })
  }
})
