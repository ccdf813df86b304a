import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { resolve } from 'node:path'

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 3_000

/** Where Hardhat finds its configuration, whatever folder the server was started from. */
const PROJECT_ROOT = resolve(import.meta.dirname, '../..')

/** A development chain that is running. */
export type LocalChain = {
  url: string
  /** False once the process has ended, for whatever reason. */
  isRunning(): boolean
  /** Lets this process end while the chain runs, which then ends too. */
  unref(): void
  stop(): Promise<void>
}

/**
 * Starts a Hardhat node in a child process on 127.0.0.1; it mines each transaction at once and forgets everything
 * when it stops.
 *
 * A process of its own, because executing blocks in the server's would be felt by every verification. It ends with
 * its parent, even one that is killed.
 *
 * @param port Port to listen on; 0 for a free one.
 * @throws Error that names the port when it is taken, or says what kept the chain from starting.
 * Source: architecture.md "Two ways to run".
 */
export async function startLocalChain(port: number): Promise<LocalChain> {
  const child = fork(new URL('./localChainProcess.ts', import.meta.url), [String(port)], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [],
  })
  const listening = await firstWord(child, port)
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

async function firstWord(child: ChildProcess, port: number): Promise<number> {
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000)
  })
  return new Promise((started, failed) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      failed(new Error(`The local chain did not start within ${START_TIMEOUT_MS / 1000} s: ${complaint}`))
    }, START_TIMEOUT_MS)
    child.once('error', failed)
    child.once('exit', (code) => {
      clearTimeout(timer)
      failed(new Error(`The local chain ended with code ${code}: ${complaint}`))
    })
    child.once('message', (message: { port?: number; error?: string }) => {
      clearTimeout(timer)
      if (message.port !== undefined) started(message.port)
      else if (message.error === 'EADDRINUSE') {
        failed(new Error(`Port ${port} is taken: set CHAIN_PORT to another port for the local chain`))
      } else failed(new Error(`The local chain did not start: ${message.error}`))
    })
  })
}
