import { Agent, request as httpRequest } from 'node:http'
import { answerParent } from './answerParent.ts'
import type { LoadRequest } from './loadRequest.ts'
import { percentile } from './percentile.ts'

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
  /** Milliseconds from the instant a request was due to the last byte of its answer. */
  p50: number
  p99: number
  /** Milliseconds by which the client itself sent late, at its 99th percentile: part of the latencies above. */
  lateP99: number
}

const REQUEST_TIMEOUT_MS = 10_000
/** Before the first request is due: connections and code get ready. */
const LEAD_MS = 50

/**
 * Sends requests at a fixed rate, whether or not the earlier ones are answered, and takes the latency from the instant
 * each was due: a server that stalls is charged for every request that the stall made wait.
 */
function runOpenLoop({
  url,
  request,
  connections,
  perSecond,
  seconds,
}: OpenLoopJob): Promise<OpenLoopResult> {
  // Sockets in turn, so that none is idle for so long that the server closes it.
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
        wrong: faults.length === 0 ? [] : [`${faults.length} wrong answers, the first: ${faults[0]}`],
        // A refused connection is quick: one wrong answer makes the round's latencies worthless.
        p50: faults.length === 0 ? percentile(latencies, 50) : Number.NaN,
        p99: faults.length === 0 ? percentile(latencies, 99) : Number.NaN,
        lateP99: percentile(lateness, 99),
      })
    }
    // Timers are a millisecond coarse, which is more than an answer takes: the loop looks at the clock in every turn.
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
    // One that breaks off has a status but no end.
    res.on('error', (error) => settle(index, error.message))
  })
  req.on('timeout', () => req.destroy(new Error('no answer in 10 s')))
  req.on('error', (error) => settle(index, error.message))
  req.end(request.body)
}

answerParent(runOpenLoop)
