import { createServer, type Server } from 'node:net'
import { findFreePort } from '../runner/findFreePort.ts'

export type Canary = {
  port: number
  /** Connections that were opened to it, whatever came on them. */
  contacts(): number
  stop(): Promise<void>
}

/** Something private on this machine, on all its addresses, which notices any connection. */
export async function openCanary(): Promise<Canary> {
  const port = await findFreePort()
  let contacts = 0
  const notice = () =>
    createServer((socket) => {
      contacts += 1
      socket.on('error', () => undefined)
      socket.resume()
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}')
    })
  const servers = [await listening(notice(), port, '0.0.0.0'), await listening(notice(), port, '::1')]
  return {
    port,
    contacts: () => contacts,
    async stop() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

function listening(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ipv6Only: true }, () => resolve(server))
  })
}
