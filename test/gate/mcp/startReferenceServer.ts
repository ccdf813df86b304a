import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../harness/runner/findFreePort.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

/** The program of the protocol's reference server, with tools for everything that the protocol has. */
export const REFERENCE_SERVER = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)

/** Starts the protocol's reference server over streamable HTTP. */
export async function startReferenceServer(port?: number): Promise<{
  url: URL
  port: number
  stop(): Promise<void>
}> {
  const used = port ?? (await findFreePort())
  const child: ChildProcess = spawn(process.execPath, [REFERENCE_SERVER, 'streamableHttp'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, PORT: String(used) },
  })
  const url = new URL(`http://127.0.0.1:${used}/mcp`)
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`the reference server ended with ${child.exitCode}`)
    return fetch(url).then(
      (response) => response.status,
      () => null,
    )
  })
  return {
    ...{ url, port: used },
    async stop() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    },
  }
}
