/**
 * The child process of `localChain.ts`: a Hardhat node that serves JSON-RPC until its parent says stop or is gone.
 *
 * A parent that is killed closes the channel, so no chain outlives its server. The signals of a terminal reach the
 * whole group; they are left to the parent, which needs the chain while it finishes.
 */
import { join } from 'node:path'
import { localNetwork } from './localNetwork.ts'

/** A folder that is not there. */
const NO_ARTIFACTS = join(import.meta.dirname, 'no-artifacts')
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
const { createHardhatRuntimeEnvironment } = await import('hardhat/hre')
// Without the plugins and the artifacts of hardhat.config.ts, which take two thirds of the start and of the memory: a
// node needs neither viem nor, as no public chain has them either, the names of the contracts' own errors.
const { network } = await createHardhatRuntimeEnvironment({
  networks: { local: localNetwork },
  paths: { artifacts: NO_ARTIFACTS },
})
const server = await network.createServer('local', '127.0.0.1', port)
const address = await server.listen()
tell({ port: address.port })

function tell(message: { port: number } | { error: string }): void {
  if (process.connected) process.send?.(message)
}
