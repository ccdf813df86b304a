import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import type { Route } from '../../../server/middleware/serve.ts'
import { SESSION_PRINCIPAL } from '../../builders/sessionPrincipal.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { type Served, serveRoutes } from '../../harness/service/serveRoutes.ts'

const known: Route = {
  method: 'POST',
  path: '/api/known',
  access: 'optionalSession',
  budget: 'public',
  handler: ({ principal, now }) => ({ body: { success: true, caller: principal.kind, now } }),
}

describe('slow bodies', () => {
  let served: Served
  let isRevoked: boolean
  let clock: number
  const sockets: Socket[] = []

  beforeEach(async () => {
    isRevoked = false
    clock = Date.now()
    served = await serveRoutes([known], {
      maxAtOnce: 2,
      clock: () => clock,
      authenticators: { accessToken: async () => (isRevoked ? null : SESSION_PRINCIPAL) },
    })
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await served.stop()
  })

  /** Sends all but the last byte of a body; `finish` sends that byte, and `heard` resolves with the response. */
  function sendMost(headers = '') {
    const { port, hostname } = new URL(served.url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const head = `POST /api/known HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}Content-Length: 2\r\n\r\n`
    socket.write(`${head}{`)
    return {
      finish: () => socket.write('}'),
      heard: () => waitUntil(async () => (text.includes('\r\n\r\n') ? text : null)),
      isClosed: () => socket.destroyed,
    }
  }
  const statusOfAnother = async () => (await fetch(`${served.url}/api/known`, { method: 'POST' })).status

  it('do not delay other requests, and are processed when complete', async () => {
    const slow = [sendMost(), sendMost()]
    // They occupy the two places only until they are recognised as slow.
    await waitUntil(async () => ((await statusOfAnother()) === 200 ? true : null))
    for (const one of slow) one.finish()
    for (const one of slow) expect(await one.heard()).to.match(/^HTTP\/1\.1 200/)
  })

  it('are refused themselves if too many of them are incomplete', async () => {
    const [first, second] = [sendMost(), sendMost()]
    await waitUntil(async () => ((await statusOfAnother()) === 200 ? true : null))
    expect(await sendMost().heard()).to.match(/^HTTP\/1\.1 503/)
    for (const one of [first, second]) one.finish()
    for (const one of [first, second]) expect(await one.heard()).to.match(/^HTTP\/1\.1 200/)
    const third = sendMost()
    third.finish()
    expect(await third.heard()).to.match(/^HTTP\/1\.1 200/)
  })

  it('are decided by the caller and the time at completion', async () => {
    const bearer = 'Authorization: Bearer t\r\n'
    const [quick, revoked] = [sendMost(bearer), sendMost(bearer)]
    quick.finish()
    expect(await quick.heard()).to.include('"caller":"session"')
    await waitUntil(async () => ((await statusOfAnother()) === 200 ? true : null))
    clock += 5_000
    isRevoked = true
    revoked.finish()
    expect(await revoked.heard()).to.match(/^HTTP\/1\.1 401/)
    isRevoked = false
    const late = sendMost(bearer)
    await waitUntil(async () => ((await statusOfAnother()) === 200 ? true : null))
    clock += 5_000
    late.finish()
    expect(await late.heard()).to.include(`"now":${clock}`)
  })

  it('are cut off after ten seconds', async () => {
    const late = sendMost()
    expect(await late.heard()).to.match(/^HTTP\/1\.1 408.*Connection: close.*REQUEST_TIMEOUT/is)
    await waitUntil(async () => (late.isClosed() ? true : null))
  })
})
