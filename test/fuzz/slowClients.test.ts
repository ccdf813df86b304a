import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const CLIENTS = 300

describe('clients that send half a request and wait', () => {
  let service: StartedService
  const sockets: Socket[] = []
  before(async () => {
    service = await startService()
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await service?.stop()
  })

  it('do not block others, and receive 408', async function () {
    // Ten real seconds: the clock is that of node:http.
    if (faultMode === 'none') this.skip()
    const heard = new Map<Socket, string>()
    for (let at = 0; at < CLIENTS; at += 1) {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
      socket.on('data', (chunk) => heard.set(socket, (heard.get(socket) ?? '') + chunk))
      socket.on('error', () => undefined)
      socket.write('POST /api/agents/verify-access HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      sockets.push(socket)
    }
    for (let asked = 0; asked < 20; asked += 1) {
      expect((await fetch(`${service.baseUrl}/api/health`)).status).to.equal(200)
    }
    await waitUntil(async () => (sockets.every((socket) => socket.destroyed) ? true : null))
    const late = [...heard.values()].filter((text) => text.includes('"REQUEST_TIMEOUT"'))
    expect(late).to.have.length(CLIENTS)
    reportFaultFigure(`${CLIENTS} connections with half a header: others are served, all end with 408`)
  })
})
