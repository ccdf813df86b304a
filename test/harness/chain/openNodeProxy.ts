import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RpcRequest = { method: string; params: unknown[] }

/** What the proxy does with a request: hands it or another one on, says nothing at all, or answers itself. */
export type ProxyAction =
  | 'pass'
  | 'hang'
  | { ask: RpcRequest }
  | { result: unknown }
  | { error: string }
  | { status: number; text: string }

/** A node between the client and the real one, which does what a test tells it to. */
export async function openNodeProxy(target: string) {
  let deedOf: (request: RpcRequest) => ProxyAction | Promise<ProxyAction> = () => 'pass'
  const hanging = new Set<ServerResponse>()
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const request = JSON.parse(text) as RpcRequest & { id: number }
    const deed = await deedOf(request)
    if (deed === 'hang') {
      hanging.add(res)
      return
    }
    const headers = { 'content-type': 'application/json' }
    if (deed === 'pass' || 'ask' in deed) {
      const body = JSON.stringify(deed === 'pass' ? request : { ...request, ...deed.ask })
      const answer = await fetch(target, { method: 'POST', headers, body })
      res.writeHead(200, headers).end(await answer.text())
    } else if ('status' in deed) res.writeHead(deed.status).end(deed.text)
    else {
      const said = 'error' in deed ? { error: { code: -32000, message: deed.error } } : deed
      res.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...said }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Says from now on what becomes of each request; everything passes without. What hangs is cut off. */
    intercept(deed: typeof deedOf = () => 'pass') {
      deedOf = deed
      for (const res of hanging) res.destroy()
      hanging.clear()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
