import type { ServerResponse } from 'node:http'
import { listen } from './listen.ts'

export type SilentHost = Awaited<ReturnType<typeof startSilentHost>>

/** Starts a host on 127.0.0.1 that accepts every request and responds to none, until it is told to. */
export async function startSilentHost() {
  const waiting = new Set<ServerResponse>()
  const count = { open: 0, ended: 0 }
  const server = await listen((_req, res) => {
    count.open += 1
    waiting.add(res)
    res.on('close', () => {
      waiting.delete(res)
      count.open -= 1
      count.ended += 1
    })
  })
  return {
    ...server,
    /** The requests that wait for a response, and those that have got one or were given up. */
    count,
    /** Responds with 404 to whatever waits. */
    release() {
      for (const res of waiting) res.writeHead(404).end()
    },
  }
}
