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

/** Opens a proxy between the client and the real node; a test decides what it does with each request. */
export async function openNodeProxy(target: string) {
  let chooseAction: (request: RpcRequest) => ProxyAction | Promise<ProxyAction> = () => 'pass'
  const hanging = new Set<ServerResponse>()
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const request = JSON.parse(text) as RpcRequest & { id: number }
    const action = await chooseAction(request)
    if (action === 'hang') {
      hanging.add(res)
      return
    }
    const headers = { 'content-type': 'application/json' }
    if (action === 'pass' || 'ask' in action) {
      const body = JSON.stringify(action === 'pass' ? request : { ...request, ...action.ask })
      const answer = await fetch(target, { method: 'POST', headers, body })
      res.writeHead(200, headers).end(await answer.text())
    } else if ('status' in action) res.writeHead(action.status).end(action.text)
    else {
      const result = 'error' in action ? { error: { code: -32000, message: action.error } } : action
      res.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...result }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the action for each further request, by default to pass. Hanging requests are disconnected. */
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
