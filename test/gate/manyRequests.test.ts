import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { AGENT, openRegistry } from './openRegistry.ts'
import { startGateProcess } from './startGateProcess.ts'

const REQUESTS = { none: 1_000, short: 5_000, full: 1_000_000 }[faultMode]
/** After these the run ends, even if it has sent fewer requests. */
const MINUTES_MAX = Number(process.env.MINUTES ?? 120)
const AT_ONCE = 50
/** In each hundred rounds of requests, the server is down for as many. */
const AWAY_ROUNDS = 2
const LEAVES_AFTER_MS = 3
/** How much memory may grow after the first quarter of a full run; shorter runs end before everything has its size. */
const MEMORY_SLACK_MB = faultMode === 'full' ? 60 : 400
/** Connections that stay open for a while. */
const DESCRIPTOR_SLACK = 2 * AT_ONCE

describe(`svc-gate and ${REQUESTS} requests`, function () {
  this.timeout((MINUTES_MAX + 2) * 60_000)
  const agent = new Agent({ keepAlive: true })
  let server: Server
  let registry: Awaited<ReturnType<typeof openRegistry>>
  let gate: Awaited<ReturnType<typeof startGateProcess>>
  /** Requests that reached the server without an agent or without a decision. */
  let passedByMistake = 0

  async function startServer(port: number): Promise<number> {
    server = createServer((req, res) => {
      const { 'x-svc-id': agentId, 'x-svc-access-level': level } = req.headers
      if (agentId !== AGENT || level !== 'full') passedByMistake += 1
      if (req.url?.startsWith('/fails')) res.destroy()
      else setTimeout(() => res.end(req.url), 5)
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  function stopServer(): void {
    server.close()
    server.closeAllConnections()
  }
  /** @returns Null if there is no response, because the caller has left. */
  function ask(path: string, headers: Record<string, string>, isLeaving: boolean) {
    return new Promise<{ status: number; text: string } | null>((resolve) => {
      const sent = request(gate.url + path, { agent, headers })
      const timer = isLeaving ? setTimeout(() => sent.destroy(), LEAVES_AFTER_MS) : undefined
      sent.on('error', () => resolve(null))
      sent.on('response', (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('close', () => {
          clearTimeout(timer)
          resolve(response.complete ? { status: response.statusCode ?? 0, text } : null)
        })
      })
      sent.end()
    })
  }

  before(async function () {
    if (process.platform !== 'linux') this.skip()
    const port = await startServer(0)
    registry = await openRegistry()
    gate = await startGateProcess(`http://127.0.0.1:${port}`, registry.gateway.apiBaseUrl)
  })
  after(async () => {
    agent.destroy()
    if (server) stopServer()
    await gate?.stop()
    await registry?.stop()
  })

  it('keeps its count and lets nobody through, while callers leave and the server fails, dies and returns', async () => {
    const { port } = server.address() as AddressInfo
    const counts: Record<string, number> = {}
    const send = async (nth: number, isAway: boolean) => {
      const isNamed = nth % 3 !== 0
      const isLeaving = nth % 7 === 0
      const path = `${nth % 5 === 0 ? '/fails' : '/'}?n=${nth}`
      const response = await ask(path, isNamed ? { 'X-Svc-Id': AGENT } : {}, isLeaving)
      const status = response?.status ?? 'left'
      counts[status] = (counts[status] ?? 0) + 1
      if (response === null) return expect(isLeaving, `request ${nth}`).to.equal(true)
      // The registry did not answer within five seconds, as happens on an overloaded machine: nothing passes.
      if (status === 503) return
      const expected = isNamed ? (isAway || path.startsWith('/fails') ? 502 : 200) : 403
      expect(status, `request ${nth}`).to.equal(expected)
      if (status === 200) expect(response.text, 'the response to this request').to.equal(path)
    }
    const begun = performance.now()
    let sent = 0
    let early: { nowMb: number; descriptors: number } | undefined
    for (let round = 0; sent < REQUESTS && performance.now() - begun < MINUTES_MAX * 60_000; round += 1) {
      const isAway = round % 100 < AWAY_ROUNDS
      if (round % 100 === 0) stopServer()
      if (round % 100 === AWAY_ROUNDS) await startServer(port)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => send(sent + at, isAway)))
      sent += AT_ONCE
      registry.asked.length = 0
      if (sent >= REQUESTS / 4 || performance.now() - begun > MINUTES_MAX * 15_000) {
        early ??= { ...gate.readMemory(), descriptors: gate.countDescriptors() }
      }
    }
    await waitUntil(async () => ((await gate.metrics()).includes('svc_gate_open_requests 0') ? true : null))
    const grown = gate.readMemory().nowMb - (early?.nowMb ?? 0)
    const opened = gate.countDescriptors() - (early?.descriptors ?? 0)
    reportFaultFigure(
      `${sent} requests through svc-gate, ${passedByMistake} passed by mistake, by status: ${JSON.stringify(counts)}; ` +
        `after the first quarter, memory ${grown < 0 ? '' : '+'}${grown.toFixed(0)} MB and ${opened} more descriptors`,
    )
    expect(passedByMistake).to.equal(0)
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).to.equal(sent)
    expect(counts[200]).to.be.above(sent / 4)
    expect(counts[503] ?? 0).to.be.at.most(sent / 1_000)
    expect(grown).to.be.below(MEMORY_SLACK_MB)
    expect(opened).to.be.at.most(DESCRIPTOR_SLACK)
    expect((await ask('/', { 'X-Svc-Id': AGENT }, false))?.status).to.equal(200)
    expect(await gate.stop(), 'exit code').to.equal(0)
  })
})
