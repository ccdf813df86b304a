import type { TableRow } from '../operation.ts'
import { getActivity, getActivityCounts, getActivityStream } from './activity.ts'
import { getActivityExport } from './activityExport.ts'
import { getAlerts, postAlertRead, postAlertsRead } from './alerts.ts'

/** The operations for the activity feed and alerts. */
export const ACTIVITY_TABLE = [
  ['GET', '/api/activity', 'sessionOrApiKey', 'api', getActivity],
  ['GET', '/api/activity/counts', 'sessionOrApiKey', 'api', getActivityCounts],
  ['GET', '/api/activity/export', 'sessionOrApiKey', 'api', getActivityExport],
  ['GET', '/api/activity/stream', 'sessionOrApiKey', 'api', getActivityStream],
  ['GET', '/api/alerts', 'session', 'api', getAlerts],
  ['POST', '/api/alerts/read', 'session', 'api', postAlertsRead],
  ['POST', '/api/alerts/:alertId/read', 'session', 'api', postAlertRead],
] as const satisfies readonly TableRow[]
