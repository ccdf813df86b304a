import type { Server } from 'node:http'
import type { Config } from '../config.ts'

/**
 * Starts listening as configured.
 *
 * On Linux, processes can share a port, and the kernel distributes connections evenly among them. Elsewhere, the cluster
 * module accepts connections in the primary and passes them on; a connection being passed to a killed process hangs.
 *
 * @throws Error with a message for the operator if the port is taken, or the address is not one of this machine.
 */
export function listen(server: Server, { http, workers }: Pick<Config, 'http' | 'workers'>): Promise<void> {
  const reusePort = workers > 1 && process.platform === 'linux'
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(explainListening(http, error))
    })
    server.listen({ port: http.port, host: http.host, reusePort }, resolve)
  })
}

/** Builds the error for the operator if the service cannot listen on its port. */
export function explainListening({ port, host }: Config['http'], cause: NodeJS.ErrnoException): Error {
  switch (cause.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} is taken: stop the program that uses it, or set PORT to another one`, {
        cause,
      })
    case 'EACCES':
      return new Error(`Port ${port} is not allowed for this user: set PORT to one above 1023`, { cause })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `Setting HOST: ${host} is not an address of this machine; 127.0.0.1 and 0.0.0.0 always are`,
        {
          cause,
        },
      )
    default:
      return cause
  }
}
