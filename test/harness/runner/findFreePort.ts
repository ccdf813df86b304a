import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of this machine that nobody listens on, below the range from which the kernel takes ports for outgoing
 * connections: a load of many connections could otherwise take it before the server does. Tests and benchmarks use it.
 *
 * @throws Error when none of 50 is free.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(20_000, 32_000)
    if (await canListen(port)) return port
  }
  throw new Error('no free port found')
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
