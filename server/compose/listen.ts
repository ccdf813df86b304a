import type { Server } from 'node:http'
import type { Config } from '../config.ts'

/**
 * Starts to listen where the configuration says.
 *
 * Linux shares a port among processes that all say so, and divides what comes evenly among them; elsewhere the cluster
 * module takes connections in the primary and hands them round, and one that is on its way to a killed process hangs.
 *
 * @throws Error with a sentence for the operator when the port is taken.
 */
export function listen(server: Server, { http, workers }: Pick<Config, 'http' | 'workers'>): Promise<void> {
  const reusePort = workers > 1 && process.platform === 'linux'
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portTaken(http.port, error) : error)
    })
    server.listen({ port: http.port, host: http.host, reusePort }, resolve)
  })
}

/** What the operator is told when somebody else listens on the port. */
export function portTaken(port: number, cause: Error): Error {
  return new Error(`Port ${port} is taken: set PORT to another one`, { cause })
}
