import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../../server/main.js')
const START_TIMEOUT_MS = 60_000

/** A service that belongs to the demo. */
export type OwnService = {
  baseUrl: string
  rpcUrl: string
  /** Its files, removed with it. */
  folder: string
  stop(): Promise<void>
}

/**
 * Starts a service for one run of the demo, on free ports, with a local chain and a fresh folder.
 *
 * It gets none of the caller's settings, which may name a database or a chain with real data.
 *
 * @throws Error with the sentence of the service if it does not start.
 */
export async function startOwnService(): Promise<OwnService> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-demo-'))
  const [port, chainPort] = await findFreePorts()
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      CHAIN_PORT: String(chainPort),
      DATA_DIR: join(folder, 'data'),
      // The proof at the end waits for a batch.
      AUDIT_BATCH_SECONDS: '1',
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(child)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    baseUrl: `http://localhost:${port}`,
    rpcUrl: `http://127.0.0.1:${chainPort}`,
    folder,
    stop,
  }
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-4_000)
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The service did not start in time.')), START_TIMEOUT_MS)
    const settle = (done: () => void) => {
      clearTimeout(timer)
      done()
    }
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', () => settle(() => reject(new Error(sentenceOf(stderr)))))
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('ready ')) settle(resolve)
    })
  })
}

function sentenceOf(stderr: string): string {
  return (
    stderr.split('\n').find((line) => line.startsWith('Cannot start: ')) ?? 'The service ended at its start.'
  )
}

/** Two at once, so that they differ. */
async function findFreePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()]
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject)
          server.listen(0, '127.0.0.1', () => {
            const address = server.address()
            resolve(typeof address === 'object' && address !== null ? address.port : 0)
          })
        }),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return [ports[0] ?? 0, ports[1] ?? 0]
}
