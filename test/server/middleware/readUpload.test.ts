import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect } from 'chai'
import { readUpload } from '../../../server/middleware/readUpload.ts'

const RULES = {
  files: ['picture'],
  fields: [],
  fileBytesMax: 1024,
  fieldBytesMax: 16,
  timeoutMs: 60_000,
}
const PART = '--b\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\nabc'

describe('reading an upload', () => {
  for (const [name, body, length] of [
    ['in the middle of its body', PART, 1000],
    ['with all of it sent', `${PART}\r\n--b--\r\n`, `${PART}\r\n--b--\r\n`.length],
  ] as const) {
    it(`does not wait for a client that disconnected ${name} before its body was requested`, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      const arrived = once(server, 'request') as Promise<[IncomingMessage]>
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n'
      socket.write(`${head}Content-Length: ${length}\r\n\r\n${body}`)
      const [req] = await arrived
      req.on('error', () => undefined)
      const left = new Promise((resolve) => req.once('close', resolve))
      socket.destroy()
      await left
      const answer = await readUpload(req, RULES).catch(({ code }) => code)
      server.close()
      expect(answer).to.equal('MALFORMED_UPLOAD')
    })
  }
})
