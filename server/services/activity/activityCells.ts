import type { ActivityItem } from '@svc/core/contract/activity.ts'
import type { ActivityColumn } from '@svc/core/contract/activityColumns.ts'

type Cells = Readonly<Record<string, (event: ActivityItem) => unknown>>

const caller = ({ eventData }: ActivityItem) => eventData.caller as { sourceIp?: unknown } | undefined

/** The cells of a CSV line for each column that is shown, by their headers. */
const CELLS: Readonly<Record<ActivityColumn, Cells>> = {
  time: { time: ({ occurredAt }) => occurredAt },
  outcome: { outcome: ({ outcome, purchaseOutcome = outcome }) => purchaseOutcome },
  event: { event: ({ eventType }) => eventType },
  agent: { agent: ({ eventData }) => eventData.agentName, agentId: ({ agentId }) => agentId },
  endpoint: { endpoint: ({ endpointName }) => endpointName, endpointId: ({ endpointId }) => endpointId },
  purpose: { purpose: ({ eventData }) => eventData.purpose },
  action: { action: ({ eventData }) => eventData.action },
  resource: { resource: ({ eventData }) => eventData.resource },
  jurisdiction: { jurisdiction: ({ eventData }) => eventData.jurisdiction },
  amount: {
    amount: ({ eventData }) => eventData.transactionValue,
    currency: ({ eventData }) => eventData.currency,
  },
  proof: { proof: ({ eventData }) => eventData.identityProof },
  reasons: {
    reasons: ({ eventData }) =>
      Array.isArray(eventData.dimensions) ? eventData.dimensions.join(' ') : undefined,
  },
  ip: { ip: (event) => caller(event)?.sourceIp },
  record: { record: ({ auditRecordId }) => auditRecordId },
}

/** The headers and the cells of the activity in CSV, for the columns that are shown; what an event does not say is empty. */
export function activityCells(columns: readonly ActivityColumn[]): {
  headers: string[]
  cellsOf(event: ActivityItem): (string | number | null)[]
} {
  const cells = columns.flatMap((column) => Object.entries(CELLS[column]))
  return {
    headers: cells.map(([header]) => header),
    cellsOf: (event) =>
      cells.map(([, read]) => {
        const value = read(event)
        return typeof value === 'string' || typeof value === 'number' ? value : null
      }),
  }
}
