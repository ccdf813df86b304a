import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { resolve } from 'node:path'

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 3_000

/** Where Hardhat finds its configuration, whatever the server's working directory. */
const PROJECT_ROOT = resolve(import.meta.dirname, '../..')

/** A running development chain. */
export type LocalChain = {
  url: string
  /** False once the process has exited, for any reason. */
  isRunning(): boolean
  /** Allows this process to exit while the chain runs; the chain then stops, too. */
  unref(): void
  stop(): Promise<void>
}

/**
 * Starts a Hardhat node in a child process on 127.0.0.1. It mines each transaction immediately and loses its state
 * when it stops.
 *
 * It has its own process because executing blocks in the server's process would slow down every verification. It exits
 * with its parent, even if the parent is killed.
 *
 * @param port Port to listen on; 0 for any free port.
 * @throws Error that names the port if it is in use, or says why the chain did not start.
 */
export async function startLocalChain(port: number): Promise<LocalChain> {
  const child = fork(new URL('./localChainProcess.ts', import.meta.url), [String(port)], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  })
  const listening = await awaitPort(child, port)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    url: `http://127.0.0.1:${listening}`,
    isRunning,
    unref() {
      child.unref()
      child.channel?.unref()
      if (child.stderr instanceof Socket) child.stderr.unref()
    },
    async stop() {
      if (!isRunning()) return
      const exited = once(child, 'exit')
      child.disconnect()
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await exited
      clearTimeout(killer)
    },
  }
}

async function awaitPort(child: ChildProcess, port: number): Promise<number> {
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk}`.slice(-2000)
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`The local chain did not start within ${START_TIMEOUT_MS / 1000} s: ${stderr}`))
    }, START_TIMEOUT_MS)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The local chain exited with code ${code}: ${stderr}`))
    })
    child.once('message', (message: { port?: number; error?: string }) => {
      clearTimeout(timer)
      if (message.port !== undefined) resolve(message.port)
      else if (message.error === 'EADDRINUSE') {
        reject(new Error(`Port ${port} is in use: set CHAIN_PORT to another port for the local chain`))
      } else reject(new Error(`The local chain did not start: ${message.error}`))
    })
  })
}
