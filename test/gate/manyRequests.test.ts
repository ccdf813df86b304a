import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { openGate } from './openGate.ts'
import { AGENT } from './openRegistry.ts'

const NAMED = { 'x-svc-id': AGENT }
const REQUESTS = faultMode === 'full' ? 1_000_000 : 1_000
const AT_ONCE = 50
/** How often the server is down: for this many rounds of requests in each hundred. */
const AWAY_ROUNDS = 2

describe(`svc-gate and ${REQUESTS} requests`, function () {
  this.timeout(faultMode === 'full' ? 7_200_000 : 30_000)
  let server: Server
  let opened: Awaited<ReturnType<typeof openGate>>
  /** Requests that reached the server without an agent. */
  let passedByMistake = 0

  async function startServer(port: number): Promise<number> {
    server = createServer((req, res) => {
      if (req.headers['x-svc-id'] === undefined) passedByMistake += 1
      if (req.url === '/fails') res.destroy()
      else setTimeout(() => res.end('ok'), 5)
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  function stopServer(): void {
    server.close()
    server.closeAllConnections()
  }

  after(async () => {
    stopServer()
    await opened?.stop()
  })

  it('keeps its count and lets nobody through, while callers leave and the server fails, dies and returns', async () => {
    const port = await startServer(0)
    // A machine that is busy for seconds must not look like a server that does not answer.
    const patience = { connectMs: 60_000, responseMs: 60_000 }
    opened = await openGate(new URL(`http://127.0.0.1:${port}`), patience)
    const counts: Record<string, number> = {}
    const send = async (nth: number, isAway: boolean) => {
      const isNamed = nth % 3 !== 0
      const isLeaving = nth % 7 === 0
      const path = nth % 5 === 0 ? '/fails' : '/'
      const headers = isNamed ? NAMED : {}
      const signal = isLeaving ? AbortSignal.timeout(3) : null
      const response = await fetch(opened.url + path, { headers, signal }).catch(() => null)
      const status = response?.status ?? 'left'
      counts[status] = (counts[status] ?? 0) + 1
      if (response === null) return expect(isLeaving).to.equal(true)
      await response.text().catch(() => undefined)
      // The registry did not answer within five seconds, as happens on an overloaded machine: nothing passes.
      if (status === 503) return
      const expected = isNamed ? (isAway || path === '/fails' ? 502 : 200) : 403
      expect(status, `request ${nth}`).to.equal(expected)
    }
    for (let round = 0; round * AT_ONCE < REQUESTS; round += 1) {
      const isAway = round % 100 < AWAY_ROUNDS
      if (round % 100 === 0) stopServer()
      if (round % 100 === AWAY_ROUNDS) await startServer(port)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => send(round * AT_ONCE + at, isAway)))
      opened.asked.length = 0
    }
    expect(passedByMistake).to.equal(0)
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).to.equal(REQUESTS)
    expect(counts[200]).to.be.above(REQUESTS / 4)
    expect(counts[503] ?? 0).to.be.at.most(REQUESTS / 1_000)
    while (!(await opened.metrics()).includes('svc_gate_open_requests 0')) await pause(5)
    expect((await fetch(opened.url, { headers: NAMED })).status).to.equal(200)
    reportFaultFigure(`${REQUESTS} requests through svc-gate, by status: ${JSON.stringify(counts)}`)
  })
})
