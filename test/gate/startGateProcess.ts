import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { ENDPOINT } from './openRegistry.ts'

/** Starts the gate in a process of its own, before a server, with a registry at `api`. Only Linux tells what it uses. */
export async function startGateProcess(upstream: string, api: string) {
  const admin = `127.0.0.1:${await findFreePort()}`
  const args = ['--upstream', upstream, '--endpoint', ENDPOINT, '--api', api, '--admin', admin]
  const gate = spawn(process.execPath, ['gate/svc-gate.ts', ...args, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A machine that is busy for seconds must not look like a server that does not answer.
    env: { PATH: process.env.PATH, SVC_API_KEY: 'k', SVC_GATE_CONNECT_TIMEOUT: '60' },
  })
  const [line] = await once(createInterface(gate.stdout), 'line')
  const readStatus = (member: string) => {
    const text = readFileSync(`/proc/${gate.pid}/status`, 'utf8')
    return Number(new RegExp(`^${member}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1_024
  }
  return {
    url: String(line).split(' ').at(-1) ?? '',
    metrics: async () => (await fetch(`http://${admin}/metrics`)).text(),
    /** Memory in megabytes, most of it so far and now. Source: proc(5). */
    readMemory: () => ({ peakMb: readStatus('VmHWM'), nowMb: readStatus('VmRSS') }),
    countDescriptors: () => readdirSync(`/proc/${gate.pid}/fd`).length,
    /** @returns The exit code; null if a signal ended it. */
    async stop(): Promise<number | null> {
      if (gate.exitCode === null && gate.signalCode === null && gate.kill('SIGTERM')) await once(gate, 'exit')
      return gate.exitCode
    },
  }
}
