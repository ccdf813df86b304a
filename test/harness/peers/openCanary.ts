import { createServer, type Server } from 'node:net'
import { findFreePort } from '../runner/findFreePort.ts'

export type Canary = {
  port: number
  /** Number of connections opened to it, whatever was sent on them. */
  contacts(): number
  stop(): Promise<void>
}

/** Opens a private server on all addresses of this machine that counts every connection. */
export async function openCanary(): Promise<Canary> {
  const port = await findFreePort()
  let contacts = 0
  const createCounter = () =>
    createServer((socket) => {
      contacts += 1
      socket.on('error', () => undefined)
      socket.resume()
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}')
    })
  const servers = [
    await listenOn(createCounter(), port, '0.0.0.0'),
    await listenOn(createCounter(), port, '::1'),
  ]
  return {
    port,
    contacts: () => contacts,
    async stop() {
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

function listenOn(server: Server, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, ipv6Only: true }, () => resolve(server))
  })
}
