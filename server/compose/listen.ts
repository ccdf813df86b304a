import type { Server } from 'node:http'
import type { Config } from '../config.ts'

/**
 * Starts listening as configured.
 *
 * On Linux, processes can share a port, and the kernel distributes connections evenly among them. Elsewhere, the cluster
 * module accepts connections in the primary and passes them on; a connection being passed to a killed process hangs.
 *
 * @throws Error with a message for the operator if the port is taken.
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

/** Builds the error for the operator if another program listens on the port. */
export function portTaken(port: number, cause: Error): Error {
  return new Error(`Port ${port} is taken: set PORT to another one`, { cause })
}
