/**
 * The child process of `localChain.ts`: a Hardhat node that serves JSON-RPC until its parent disconnects or dies.
 *
 * The channel closes even if the parent is killed, so no chain outlives its server. A terminal sends its signals to
 * the whole process group; the child ignores them, because the parent needs the chain while it shuts down.
 */
import { join } from 'node:path'
import { localNetwork } from './localNetwork.ts'

/** A folder that does not exist. */
const NO_ARTIFACTS = join(import.meta.dirname, 'no-artifacts')
const port = Number(process.argv[2])

process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
process.on('SIGHUP', () => undefined)
// There is nothing to save, and an orderly exit can hang in the node's native threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Hardhat's server has no other way to report that its port is in use.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  report({ error: error.code ?? error.message })
  process.exit(1)
})

// After the handlers: loading takes a while, and the parent may be gone by then.
const { createHardhatRuntimeEnvironment } = await import('hardhat/hre')
// Skips the plugins and artifacts of hardhat.config.ts, which take two thirds of the startup time and memory. A node
// does not need viem, nor the names of the contracts' custom errors, which public chains lack as well.
const { network } = await createHardhatRuntimeEnvironment({
  networks: { local: localNetwork },
  paths: { artifacts: NO_ARTIFACTS },
})
const server = await network.createServer('local', '127.0.0.1', port)
const address = await server.listen()
report({ port: address.port })

function report(message: { port: number } | { error: string }): void {
  if (process.connected) process.send?.(message)
}
