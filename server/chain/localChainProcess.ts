/**
 * The child process of `localChain.ts`: a Hardhat node that serves JSON-RPC until its parent says stop or is gone.
 *
 * A parent that is killed closes the channel, so no chain outlives its server. The signals of a terminal reach the
 * whole group; they are left to the parent, which needs the chain while it finishes.
 */
const port = Number(process.argv[2])

process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
// There is nothing to save, and an orderly exit can hang in the node's native threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// The server of Hardhat has no other way to say that its port is taken.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  tell({ error: error.code ?? error.message })
  process.exit(1)
})

// After the handlers: loading takes a while, and the parent may be gone by then.
const { network } = await import('hardhat')
const server = await network.createServer('local', '127.0.0.1', port)
const address = await server.listen()
tell({ port: address.port })

function tell(message: { port: number } | { error: string }): void {
  if (process.connected) process.send?.(message)
}
