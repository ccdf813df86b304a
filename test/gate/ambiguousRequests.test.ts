import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect } from 'chai'
import { openRecordingGate } from './openRecordingGate.ts'
import { AGENT } from './openRegistry.ts'
import { sendRaw } from './sendRaw.ts'

const NAMED = { 'x-svc-id': AGENT }

describe('svc-gate and requests that servers read in several ways', () => {
  let opened: Awaited<ReturnType<typeof openRecordingGate>>

  beforeEach(async () => {
    opened = await openRecordingGate()
  })
  afterEach(() => opened.stop())

  it('sends no request on whose length is stated in two ways', async () => {
    for (const head of [
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
      'Content-Length: 5\r\nContent-Length: 6',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding : chunked',
    ]) {
      const answer = await sendRaw(
        opened.url,
        `POST / HTTP/1.1\r\nHost: a\r\nX-Svc-Id: ${AGENT}\r\n${head}\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`,
      )
      expect(answer, head).to.match(/^HTTP\/1.1 400 /)
    }
    expect(opened.seen).to.deep.equal([])
  })

  it('sends no request on whose target has a fragment, which it would not have verified', async () => {
    for (const upgrade of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
      const head = `Host: a\r\nX-Svc-Id: ${AGENT}\r\n${upgrade}`
      const answer = await sendRaw(opened.url, `GET /public#/../admin HTTP/1.1\r\n${head}\r\n`)
      expect(answer, upgrade).to.match(/^HTTP\/1.1 400 /)
    }
    expect([opened.seen, opened.asked]).to.deep.equal([[], []])
  })

  it('sends no request on whose target names another host than the Host header, or a user', async () => {
    const ask = (target: string, ...fields: string[]) => {
      const head = [`X-Svc-Id: ${AGENT}`, 'Connection: close', ...fields]
      return sendRaw(opened.url, `GET ${target} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
    }
    for (const [target, host] of [
      ['http://shop.example/a', 'evil.test'],
      ['http://shop.example:81/a', 'shop.example'],
      ['http://a:b@shop.example/a', 'shop.example'],
      ['http://evil.test@shop.example/a', 'shop.example'],
      ['http:///shop.example/a', 'shop.example'],
    ]) {
      for (const upgrade of [[], ['Connection: Upgrade', 'Upgrade: websocket']]) {
        expect(await ask(`${target}`, `Host: ${host}`, ...upgrade), target).to.match(/^HTTP\/1.1 400 /)
      }
    }
    const old = `GET http://shop.example/a HTTP/1.0\r\nX-Svc-Id: ${AGENT}\r\n\r\n`
    expect(await sendRaw(opened.url, old)).to.match(/^HTTP\/1.1 400 /)
    expect([opened.seen, opened.asked]).to.deep.equal([[], []])
    const headers = { ...NAMED, Host: 'SHOP.example:80' }
    const sent = request(opened.url, { path: 'http://shop.example/a', headers })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(response.resume().statusCode).to.equal(200)
    expect(opened.seen[0]).to.include({ url: 'http://shop.example/a' })
  })
})
