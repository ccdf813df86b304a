import { REUSE_MS } from '../../../server/compose/composeHealth.ts'
import { waitUntil } from '../runner/waitUntil.ts'
import { api } from './api.ts'

/**
 * Waits until nothing waits to be put on chain, and every record that there is now is final. A reading of the health that is
 * reused may not know of the last ones.
 */
export async function untilSettled(baseUrl: string): Promise<void> {
  const begun = performance.now()
  await waitUntil(async () => {
    const { checks } = (await api(baseUrl, 'GET', '/api/health')).body
    const { relayer, auditQueue } = checks
    const isSettled = relayer.observed.backlog === 0 && auditQueue.observed.waiting === 0
    return isSettled && performance.now() - begun > REUSE_MS ? true : null
  })
}
