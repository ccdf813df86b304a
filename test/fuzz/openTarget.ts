import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR_SETTINGS } from '../builders/signInOperator.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { spawnService } from '../harness/service/spawnService.ts'
import { startService } from '../harness/service/startService.ts'

export type FuzzTarget = {
  baseUrl: string
  /** Megabytes that the service occupies; only if it has its own process. */
  residentMb(): number | undefined
  /** Longest stall of its event loop since the last call, in milliseconds; only if it has its own process. */
  stallMs(): Promise<number | undefined>
  /** CPU time of the serving thread so far, in milliseconds; only if it has its own process. */
  busyMs(): number | undefined
  stop(): Promise<void>
}

/** Limits wide enough that requests are processed rather than refused, and no access to private addresses. */
const SETTINGS = {
  ...OPERATOR_SETTINGS,
  ALLOW_PRIVATE_NETWORK: 'false',
  VERIFY_RATE_PER_MINUTE: '10000000',
  API_RATE_PER_MINUTE: '10000000',
  OUTREACH_RATE_PER_HOUR: '10000000',
  LOG_LEVEL: 'silent',
}

/** The gauge measures between ticks of a timer of ten milliseconds. */
const TICK_MS = 10

/** Opens the service under attack in this process, or in its own process as in production, to measure its memory. */
export async function openTarget(inOwnProcess: boolean): Promise<FuzzTarget> {
  if (!inOwnProcess) {
    const service = await startService({ settings: SETTINGS })
    return {
      baseUrl: service.baseUrl,
      residentMb: () => undefined,
      stallMs: async () => undefined,
      busyMs: () => undefined,
      stop: service.stop,
    }
  }
  const folder = createTemporaryFolder()
  const service = await spawnService({
    ...SETTINGS,
    PORT: String(await findFreePort()),
    DATA_DIR: folder.path,
    REGISTRATION_FILES_DIR: join(folder.path, 'registration-files'),
    CHAIN_PORT: String(await findFreePort()),
  })
  return {
    baseUrl: service.baseUrl,
    residentMb: () => {
      const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
    },
    async stallMs() {
      const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text()
      const longest = Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]) * 1000
      return longest - TICK_MS
    },
    busyMs: () => {
      // The main thread, which serves the requests, has the id of the process.
      const pid = service.process.pid
      return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    },
    async stop() {
      await service.end('SIGTERM')
      folder.remove()
    },
  }
}
