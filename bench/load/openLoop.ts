import { Agent, request as httpRequest } from 'node:http'
import type { LoadRequest } from './loadRequest.ts'
import { percentile } from './percentile.ts'
import { respondToParent } from './respondToParent.ts'

export type OpenLoopJob = {
  url: string
  request: LoadRequest
  connections: number
  perSecond: number
  seconds: number
}

export type OpenLoopResult = {
  right: number
  wrong: string[]
  /** Milliseconds from the time a request was due to the last byte of its response. */
  p50: number
  p99: number
  /** The client's own delay in milliseconds at the 99th percentile, which is included in the latencies above. */
  lateP99: number
}

const REQUEST_TIMEOUT_MS = 10_000
/** Time before the first request is due, to prepare connections and code. */
const LEAD_MS = 50

/**
 * Sends requests at a fixed rate, whether or not earlier ones have returned, and measures each latency from the time the
 * request was due. A stall of the server thus counts for every request that it delays.
 */
function runOpenLoop({
  url,
  request,
  connections,
  perSecond,
  seconds,
}: OpenLoopJob): Promise<OpenLoopResult> {
  // Uses sockets in turn, so that none is idle long enough for the server to close it.
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  const total = perSecond * seconds
  const latencies = new Float64Array(total)
  const lateness = new Float64Array(total)
  const faults: string[] = []
  const begin = performance.now() + LEAD_MS
  const dueAt = (index: number) => begin + (index * 1_000) / perSecond
  let sent = 0
  let answered = 0
  return new Promise((resolve) => {
    const settle = (index: number, fault: string | null) => {
      latencies[index] = performance.now() - dueAt(index)
      if (fault !== null) faults.push(fault)
      answered += 1
      if (answered < total) return
      agent.destroy()
      resolve({
        right: total - faults.length,
        wrong: faults.length === 0 ? [] : [`${faults.length} wrong responses, the first: ${faults[0]}`],
        // A refused connection is fast, so a single wrong response makes the latencies of the round meaningless.
        p50: faults.length === 0 ? percentile(latencies, 50) : Number.NaN,
        p99: faults.length === 0 ? percentile(latencies, 99) : Number.NaN,
        lateP99: percentile(lateness, 99),
      })
    }
    // Timers have a resolution of 1 ms, longer than a response takes, so every turn of the event loop checks the clock.
    const sendDue = () => {
      for (let now = performance.now(); sent < total && dueAt(sent) <= now; sent++) {
        lateness[sent] = now - dueAt(sent)
        send(`${url}${request.path}`, agent, request, sent, settle)
      }
      if (sent < total) setImmediate(sendDue)
    }
    sendDue()
  })
}

type Settle = (index: number, fault: string | null) => void

function send(address: string, agent: Agent, request: LoadRequest, index: number, settle: Settle): void {
  const headers = { ...request.headers, 'content-length': Buffer.byteLength(request.body) }
  const req = httpRequest(address, { method: 'POST', agent, headers, timeout: REQUEST_TIMEOUT_MS }, (res) => {
    let body = ''
    res.setEncoding('utf8')
    res.on('data', (chunk: string) => {
      body += chunk
    })
    res.on('end', () => {
      const isRight = res.statusCode === 200 && body.includes(request.expected)
      settle(index, isRight ? null : `status ${res.statusCode}, ${body.slice(0, 200)}`)
    })
    // An aborted response has a status but no end.
    res.on('error', (error) => settle(index, error.message))
  })
  req.on('timeout', () => req.destroy(new Error('no response in 10 s')))
  req.on('error', (error) => settle(index, error.message))
  req.end(request.body)
}

respondToParent(runOpenLoop)
