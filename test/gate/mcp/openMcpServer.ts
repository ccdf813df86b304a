import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../../harness/peers/listen.ts'
import { AGENT } from '../openRegistry.ts'
import { openMcpGate } from './openMcpGate.ts'

/** Those of a caller whose agent is named. */
export const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'x-svc-id': AGENT,
}

type Seen = { method: string; url: string; body: string; headers: IncomingMessage['headers'] }
type Serve = (seen: Seen, res: ServerResponse) => unknown

/** A call of a tool. */
export const call = (id: number, name = 'buy', more: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...more } },
})
/** The server's result for a request. */
export const resultOf = (id: unknown) => ({ jsonrpc: '2.0', id, result: { content: [] } })

const serveResults: Serve = ({ body }, res) => {
  res.setHeader('content-type', 'application/json')
  const message = JSON.parse(body || '{}')
  res.end(
    JSON.stringify(Array.isArray(message) ? message.map(({ id }) => resultOf(id)) : resultOf(message.id)),
  )
}

export type McpServer = Awaited<ReturnType<typeof openMcpServer>>

/** Starts an MCP server that notes what it gets and answers as a test says, and opens gates before it. */
export async function openMcpServer() {
  const seen: Seen[] = []
  const given: { serve: Serve; gate: Awaited<ReturnType<typeof openMcpGate>> | undefined } = {
    serve: serveResults,
    gate: undefined,
  }
  const server = await listen(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const one = { method: req.method ?? '', url: req.url ?? '', body, headers: req.headers }
    // What the gate asks itself.
    if (body.includes('"svc-gate-')) return void res.writeHead(404).end()
    seen.push(one)
    given.serve(one, res)
  })
  return {
    seen,
    /** Replaces the answers, which are results of calls otherwise. */
    serve(answer: Serve) {
      given.serve = answer
    },
    async open(settings: Parameters<typeof openMcpGate>[1] = {}, url = server.url) {
      given.gate = await openMcpGate(new URL(`${url}/mcp`), settings)
      return given.gate
    },
    async post(body: unknown, headers: object = {}) {
      if (given.gate === undefined) throw new Error('no gate is open')
      const response = await fetch(given.gate.url, {
        method: 'POST',
        headers: { ...HEADERS, ...headers },
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      })
      return { status: response.status, text: await response.text(), headers: response.headers }
    },
    /** Closes the gate and forgets what was seen and how to answer. */
    async reset() {
      await given.gate?.stop()
      seen.length = 0
      given.serve = serveResults
    },
    stop: () => server.stop(),
  }
}
