import { expect } from 'chai'
import { api } from '../../../harness/service/api.ts'
import { openMcp } from './openMcp.ts'

describe('the MCP server, over HTTP,', () => {
  let scene: Awaited<ReturnType<typeof openMcp>>

  before(async () => {
    scene = await openMcp()
  })
  after(() => scene.close())

  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  describe('rejects', () => {
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

  it('accepts a notification without a response', async () => {
    const { status, body } = await scene.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([status, body]).to.deep.equal([202, null])
  })
})
