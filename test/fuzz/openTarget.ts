import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { spawnService } from '../harness/service/spawnService.ts'
import { startService } from '../harness/service/startService.ts'

export type FuzzTarget = {
  baseUrl: string
  /** Megabytes that the service holds in memory, where it has a process of its own. */
  residentMb(): number | undefined
  /** Milliseconds for which its event loop stood still at most since this was last asked, where it has a process of its own. */
  stallMs(): Promise<number | undefined>
  /** Milliseconds of processor time that the thread that answers has used so far, where it has a process of its own. */
  busyMs(): number | undefined
  stop(): Promise<void>
}

/** Budgets so wide that requests are answered and not put off, and no way out to private addresses. */
const SETTINGS = {
  ALLOW_PRIVATE_NETWORK: 'false',
  VERIFY_RATE_PER_MINUTE: '10000000',
  API_RATE_PER_MINUTE: '10000000',
  OUTREACH_RATE_PER_HOUR: '10000000',
  LOG_LEVEL: 'silent',
}

/** The gauge measures from tick to tick of a timer of ten milliseconds. */
const TICK_MS = 10

/** The service under attack: in this process, or in one of its own, as it is run, so that its memory can be seen. */
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
      // A process has the number of its first thread, which is the one that answers.
      const pid = service.process.pid
      return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    },
    async stop() {
      await service.end('SIGTERM')
      folder.remove()
    },
  }
}
