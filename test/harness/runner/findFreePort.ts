import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Finds a local port that is not in use, below the kernel's ephemeral range: otherwise a load of many outgoing
 * connections could take the port before the server does. Tests and benchmarks use it.
 *
 * @throws Error when 50 attempts find none.
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
