import { waitUntil } from '../runner/waitUntil.ts'
import { api } from './api.ts'

/** For how long a reading of the health is reused, so that an earlier one may not know what has happened since. */
const REUSE_MS = 500

/** Waits until nothing waits to be put on chain, and every record that there is now is final. */
export async function untilSettled(baseUrl: string): Promise<void> {
  const begun = performance.now()
  await waitUntil(async () => {
    const { checks } = (await api(baseUrl, 'GET', '/api/health')).body
    const { relayer, auditQueue } = checks
    const isSettled = relayer.observed.backlog === 0 && auditQueue.observed.waiting === 0
    return isSettled && performance.now() - begun > REUSE_MS ? true : null
  })
}
