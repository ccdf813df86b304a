import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'
import { openOwnerScene } from '../approvals/openOwnerScene.ts'

const GRACE_MS = 30 * 24 * 60 * 60_000

export type ErasureScene = Awaited<ReturnType<typeof openErasureScene>>

/** The service of an owner scene in a folder of its own, which can be started again after the days of grace. */
export async function openErasureScene(given: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const settings = { AUDIT_BATCH_SECONDS: '1', ...given }
  const scene = await openOwnerScene(settings, { dataDir })
  let service: StartedService = scene.service
  const stepOf = async (userId: string): Promise<string | undefined> => {
    const [row] = await service.rows<{ step: string }>(
      'SELECT step FROM account_erasures WHERE user_id = ?',
      userId,
    )
    return row?.step
  }
  /** Starts the service again, after some work while it is stopped. */
  const restart = async (work: () => void = () => undefined): Promise<void> => {
    await service.stop()
    work()
    service = await startService({ dataDir, settings, clock: () => scene.time.now })
  }
  return {
    ...scene,
    restart,
    stepOf,
    current: () => service,
    /** Lets the days of grace pass, and starts the service again, whose worker then erases. */
    async passGrace(): Promise<void> {
      scene.time.now += GRACE_MS
      await restart()
    },
    untilErased: (userId: string) => waitUntil(async () => ((await stepOf(userId)) === 'done' ? true : null)),
    async remove(): Promise<void> {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
