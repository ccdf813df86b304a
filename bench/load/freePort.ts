import { createServer } from 'node:net'

const LOWEST = 20_000
const HIGHEST = 32_000
const ATTEMPTS_MAX = 50

/**
 * A port of this machine that nothing listens on, below the range from which the kernel takes ports for outgoing
 * connections: a load of many connections could otherwise take it before the server does.
 *
 * @throws Error when none of 50 is free.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
