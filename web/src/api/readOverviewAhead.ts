import { answersAhead } from './answersAhead.ts'
import type { AnyCall, ReadKey } from './call.ts'
import { session } from './session.ts'

/** What the overview and the frame around it read of every account, with the queries that they send. */
const READ: readonly [ReadKey, AnyCall][] = [
  ['GET /api/activity', { query: { limit: 6 } }],
  ['GET /api/activity/counts', { query: { hours: 24 } }],
  ['GET /api/health', {}],
  ['GET /api/step-up-approvals', { query: { status: 'pending', limit: 100 } }],
  ['GET /api/registration-requests', { query: { status: 'pending', limit: 100 } }],
  ['GET /api/alerts', { query: { status: 'unread', limit: 100 } }],
  ['GET /api/organizations', { query: { limit: 100 } }],
]

/**
 * Reads the data of the overview as soon as the session is resumed, while its code is still loading.
 *
 * A query that differs from that of the page is sent for nothing, which test/browser/slowNetwork.test.ts notices.
 */
export function readOverviewAhead(): void {
  const stop = session.subscribe(() => {
    const { status } = session.read()
    if (status !== 'starting') stop()
    if (status === 'signedIn') for (const [key, call] of READ) answersAhead.send(key, call)
  })
}
