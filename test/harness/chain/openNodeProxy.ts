import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RpcRequest = { method: string; params: unknown[] }

/** What the proxy does with a request: forwards it or another one, never responds, or responds itself. */
export type ProxyAction =
  | 'pass'
  | 'hang'
  | { ask: RpcRequest }
  | { result: unknown }
  | { error: string }
  | { status: number; text: string }

/** The response of a node that does not support batches to a batch. */
const NO_BATCHES = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Invalid Request' },
})

type Call = RpcRequest & { id: number }

/** Opens a proxy between the client and the real node; a test decides what it does with each call, in a batch or not. */
export async function openNodeProxy(target: string) {
  let chooseAction: (request: RpcRequest) => ProxyAction | Promise<ProxyAction> = () => 'pass'
  let requests = 0
  let acceptsBatches = true
  const hanging = new Set<ServerResponse>()
  const headers = { 'content-type': 'application/json' }
  const answerCall = async (call: Call, action: Exclude<ProxyAction, 'hang' | { status: number }>) => {
    if (action === 'pass' || 'ask' in action) {
      const body = JSON.stringify(action === 'pass' ? call : { ...call, ...action.ask })
      return (await fetch(target, { method: 'POST', headers, body })).json()
    }
    const result = 'error' in action ? { error: { code: -32000, message: action.error } } : action
    return { jsonrpc: '2.0', id: call.id, ...result }
  }
  const server = createServer(async (req, res) => {
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
    if (Array.isArray(asked) && !acceptsBatches) return void res.writeHead(400, headers).end(NO_BATCHES)
    const answers: unknown[] = []
    for (const call of [asked].flat()) {
      const action = await chooseAction(call)
      if (action === 'hang') return void hanging.add(res)
      if (typeof action === 'object' && 'status' in action)
        return void res.writeHead(action.status).end(action.text)
      answers.push(await answerCall(call, action))
    }
    res.writeHead(200, headers).end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** HTTP requests so far; a batch of calls is one. */
    requests: () => requests,
    /** Rejects batches from now on, like nodes that do not support them. */
    refuseBatches() {
      acceptsBatches = false
    },
    /** Sets the action for each further call, by default to pass. Hanging requests are disconnected. */
    intercept(choose: typeof chooseAction = () => 'pass') {
      chooseAction = choose
      for (const res of hanging) res.destroy()
      hanging.clear()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
