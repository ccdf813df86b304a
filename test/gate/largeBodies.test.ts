import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { listen } from '../harness/peers/listen.ts'
import { AGENT, ENDPOINT, openRegistry } from './openRegistry.ts'

const MEGABYTE = 1_048_576
const MEGABYTES = faultMode === 'full' ? 1_024 : 128
/** How much more memory a transfer may take at most, whatever its size. */
const MEMORY_MB_MAX = 110
const CHUNK = Buffer.alloc(MEGABYTE, 'x')

/** Peak memory of a process, in megabytes. Source: proc(5). */
function readPeakMemory(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

async function* bytes(): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < MEGABYTES; sent += 1) yield CHUNK
}

describe(`svc-gate with ${MEGABYTES} MB in a body`, function () {
  this.timeout(faultMode === 'full' ? 600_000 : 30_000)
  let registry: Awaited<ReturnType<typeof openRegistry>>
  let server: Awaited<ReturnType<typeof listen>>
  let gate: ChildProcess
  let url = ''
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
    const args = ['--upstream', server.url, '--endpoint', ENDPOINT, '--api', registry.gateway.apiBaseUrl]
    gate = spawn(
      process.execPath,
      ['gate/svc-gate.ts', ...args, '--listen', '127.0.0.1:0', '--admin', 'off'],
      {
        ...{ stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH, SVC_API_KEY: 'k' } },
      },
    )
    if (gate.stdout === null) throw new Error('the gate has no output')
    const [line] = await once(createInterface(gate.stdout), 'line')
    url = String(line).split(' ').at(-1) ?? ''
    const warmUp = await fetch(url, { method: 'PUT', body: CHUNK, headers })
    expect(await warmUp.text()).to.equal(String(MEGABYTE))
    baselineMb = readPeakMemory(gate.pid)
  })
  after(async () => {
    if (gate?.exitCode === null && gate.kill('SIGTERM')) await once(gate, 'exit')
    await Promise.all([registry?.stop(), server?.stop()])
  })

  it('passes it on in both directions within the same memory', async () => {
    const sent = await fetch(url, {
      ...{ method: 'PUT', body: bytes(), headers, duplex: 'half' },
    } as unknown as RequestInit)
    expect(await sent.text()).to.equal(String(MEGABYTES * MEGABYTE))
    let received = 0
    for await (const chunk of (await fetch(url, { headers })).body ?? []) received += chunk.length
    expect(received).to.equal(MEGABYTES * MEGABYTE)
    const grown = readPeakMemory(gate.pid) - baselineMb
    reportFaultFigure(`${MEGABYTES} MB up and down through svc-gate: ${grown.toFixed(0)} MB more memory`)
    expect(grown).to.be.below(MEMORY_MB_MAX)
  })
})
