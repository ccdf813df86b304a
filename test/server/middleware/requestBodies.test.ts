import { inspect } from 'node:util'
import { expect } from 'chai'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'
import { codeOf, echo, postTo } from './serveEcho.ts'

describe('the body of a request', () => {
  let served: Served
  before(async () => {
    served = await serveRoutes([echo])
  })
  after(() => served.stop())

  const post = (path: string, body: string | Uint8Array, headers?: Record<string, string>) =>
    postTo(served, path, body, headers)

  it('passes a JSON body to the handler', async () => {
    expect(await (await post('/api/echo', '{"a":1}')).json()).to.deep.equal({
      success: true,
      body: { a: 1 },
    })
  })

  it('treats an absent body as undefined', async () => {
    expect(await (await post('/api/echo', '')).json()).to.deep.equal({ success: true, body: null })
  })

  for (const [what, body] of [
    ['malformed JSON', '{"a":'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a number out of range of its text', '1e'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect(await codeOf(await post('/api/echo', body))).to.deep.equal([400, 'MALFORMED_JSON'])
    })
  }

  it('says where a body stops being JSON, and quotes nothing of it', async () => {
    const answer = await (await post('/api/echo', '{\n  "password": "hunter2",\n}')).text()
    expect(JSON.parse(answer).message).to.equal(
      'The body is not valid JSON at line 3, column 1: expected a name in double quotes.',
    )
    expect(answer).not.to.include('hunter2')
  })

  it('logs no part of a body that is not JSON', async () => {
    await post('/api/echo', 'hunter2')
    expect(inspect(served.logged)).to.contain('MALFORMED_JSON').and.not.contain('hunter2')
  })

  it('refuses a body over 256 KiB, announced or not', async () => {
    const big = `"${'x'.repeat(300 * 1024)}"`
    expect(await codeOf(await post('/api/echo', big))).to.deep.equal([413, 'PAYLOAD_TOO_LARGE'])
    const chunked = await fetch(`${served.url}/api/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(await codeOf(chunked)).to.deep.equal([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('rejects other media types and encodings', async () => {
    const text = await post('/api/echo', '{}', { 'content-type': 'text/plain' })
    expect(await codeOf(text)).to.deep.equal([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const zipped = await post('/api/echo', '{}', { 'content-encoding': 'gzip' })
    expect(await codeOf(zipped)).to.deep.equal([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('rejects JSON that is named as anything but UTF-8', async () => {
    for (const [charset, status] of [
      ['utf-8', 200],
      ['"UTF-8"', 200],
      ['us-ascii', 200],
      ['utf-16', 415],
      ['"iso-8859-1"', 415],
    ] as const) {
      const type = `application/json; charset=${charset}`
      expect((await post('/api/echo', '{}', { 'content-type': type })).status, charset).to.equal(status)
    }
  })

  it('names each string that contains a NUL or a lone surrogate', async () => {
    const response = await post('/api/echo', '{"a":"\\u0000","b":{"c/d":["\\ud800"]},"e":"\\ud83d\\ude00"}')
    const body = (await response.json()) as { code: string; errors: { pointer: string }[] }
    expect(body.code).to.equal('VALIDATION_ERROR')
    expect(body.errors.map((error) => error.pointer).sort()).to.deep.equal(['/a', '/b/c~1d/0'])
  })

  it('echoes only a part of the input, however long or deep its pointers are', async () => {
    const bad = `[${Array(20).fill('"\\u0000"')}]`
    for (const body of [
      `{"${'k'.repeat(250_000)}":${bad}}`,
      `${'['.repeat(120_000)}${bad}${']'.repeat(120_000)}`,
    ]) {
      const answer = await (await post('/api/echo', body)).text()
      expect(JSON.parse(answer).code).to.equal('VALIDATION_ERROR')
      expect(answer.length).to.be.below(20_000)
    }
  })
})
