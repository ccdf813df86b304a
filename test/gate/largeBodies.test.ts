import { once } from 'node:events'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { listen } from '../harness/peers/listen.ts'
import { AGENT, openRegistry } from './openRegistry.ts'
import { startGateProcess } from './startGateProcess.ts'

const MEGABYTE = 1_048_576
const MEGABYTES = faultMode === 'full' ? 1_024 : 128
/** How much more memory a transfer may take at most, whatever its size. */
const MEMORY_MB_MAX = 110
const CHUNK = Buffer.alloc(MEGABYTE, 'x')

async function* bytes(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < MEGABYTES; sent += 1) yield CHUNK
}

describe(`svc-gate with ${MEGABYTES} MB in a body`, function () {
  this.timeout(600_000)
  let registry: Awaited<ReturnType<typeof openRegistry>>
  let server: Awaited<ReturnType<typeof listen>>
  let gate: Awaited<ReturnType<typeof startGateProcess>>
  let baselineMb = 0
  const headers = { 'X-Svc-Id': AGENT }

  before(async function () {
    if (process.platform !== 'linux') this.skip()
    registry = await openRegistry()
    server = await listen(async (req, res) => {
      let length = 0
      for await (const chunk of req) length += chunk.length
      if (req.method === 'PUT') return void res.end(String(length))
      for await (const chunk of bytes()) if (!res.write(chunk)) await once(res, 'drain')
      res.end()
    })
    gate = await startGateProcess(server.url, registry.gateway.apiBaseUrl)
    const warmUp = await fetch(gate.url, { method: 'PUT', body: CHUNK, headers })
    expect(await warmUp.text()).to.equal(String(MEGABYTE))
    baselineMb = gate.readMemory().peakMb
  })
  after(async () => {
    await gate?.stop()
    await Promise.all([registry?.stop(), server?.stop()])
  })

  it('passes it on in both directions within the same memory', async () => {
    const sent = await fetch(gate.url, {
      ...{ method: 'PUT', body: bytes(), headers, duplex: 'half' },
    } as unknown as RequestInit)
    expect(await sent.text()).to.equal(String(MEGABYTES * MEGABYTE))
    let received = 0
    for await (const chunk of (await fetch(gate.url, { headers })).body ?? []) received += chunk.length
    expect(received).to.equal(MEGABYTES * MEGABYTE)
    const grown = gate.readMemory().peakMb - baselineMb
    reportFaultFigure(`${MEGABYTES} MB up and down through svc-gate: ${grown.toFixed(0)} MB more memory`)
    expect(grown).to.be.below(MEMORY_MB_MAX)
  })
})
