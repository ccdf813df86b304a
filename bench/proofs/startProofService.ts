import { join } from 'node:path'
import { findFreePort } from '../../test/harness/runner/findFreePort.ts'
import { type RunningServer, startServer } from '../load/startServer.ts'
import { proofRecordId } from './proofRecord.ts'

const ANCHORED_MS = 120_000
const LOOK_MS = 200

export type ProofService = {
  readonly server: RunningServer
  readonly rpcUrl: string
}

/**
 * Starts our service as a user would on an existing log, and waits until it has sealed all of it and anchored it on its
 * local chain.
 *
 * Of the defaults, only the rate limits are changed, because they would stop the load.
 *
 * @throws Error if the last record has no proof within two minutes.
 */
export async function startProofService(folder: string, size: number): Promise<ProofService> {
  const [port, chainPort] = [await findFreePort(), await findFreePort()]
  const server = await startServer({
    script: new URL('../../server/main.js', import.meta.url),
    port,
    env: {
      PORT: String(port),
      CHAIN_PORT: String(chainPort),
      DATA_DIR: folder,
      REGISTRATION_FILES_DIR: join(folder, 'registration-files'),
      API_RATE_PER_MINUTE: '100000000',
      LOG_LEVEL: 'warn',
    },
  })
  try {
    await waitForProof(`${server.url}/api/audit/records/${proofRecordId(size - 1)}/proof`)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { server, rpcUrl: `http://127.0.0.1:${chainPort}` }
}

async function waitForProof(address: string): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < ANCHORED_MS; ) {
    if ((await fetch(address)).ok) return
    await new Promise((resume) => setTimeout(resume, LOOK_MS))
  }
  throw new Error('the log was not anchored in time')
}
