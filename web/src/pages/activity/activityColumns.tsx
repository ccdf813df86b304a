import { Text } from '@mantine/core'
import type { ActivityItem } from '@svc/core/contract/activity.ts'
import { ACTIVITY_COLUMNS, type ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import type { ReactNode } from 'react'
import { revealText } from '../../parts/code/revealText.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { describeDimension } from '../../parts/words/dimensionWords.ts'
import { eventNames } from '../../parts/words/eventWords.ts'
import { summariseProof } from '../../parts/words/proofWords.ts'
import { formatAmount, shortenIdentifier } from '../../parts/words/words.ts'

type Column = {
  label: string
  cell: (event: ActivityItem) => ReactNode
  /**
   * How wide its texts are: `line` stays on one, `number` also aligns on the right, `words` breaks only between words, and
   * `path` breaks anywhere, but not before it is as long as most.
   */
  fit?: 'line' | 'number' | 'words' | 'path'
}

function text(event: ActivityItem, name: string): string | null {
  const value = event.eventData[name]
  return typeof value === 'string' ? value : null
}

/** The outcome has a column of its own, and may have changed since the first event. */
const REQUESTS = ['verification.completed', 'verification.denied', 'verification.step_up_required']

function nameEvent({ eventType }: ActivityItem): string {
  return REQUESTS.includes(eventType) ? 'Access request' : (eventNames[eventType] ?? eventType)
}

function nameAgent(event: ActivityItem): string | null {
  return text(event, 'agentName') ?? (event.agentId === null ? null : shortenIdentifier(event.agentId))
}

function nameEndpoint({ endpointName, endpointId }: ActivityItem): string | null {
  return endpointName ?? (endpointId === null ? null : shortenIdentifier(endpointId))
}

/** The columns of the activity: how they are called, and what they show of a purchase. */
export const COLUMNS: Readonly<Record<ActivityColumn, Column>> = {
  time: { label: 'Time', cell: ({ occurredAt }) => <When time={occurredAt} />, fit: 'line' },
  outcome: { label: 'Outcome', cell: (event) => <Outcome event={event} />, fit: 'line' },
  event: { label: 'Event', cell: nameEvent, fit: 'words' },
  agent: { label: 'Agent', cell: nameAgent, fit: 'path' },
  endpoint: { label: 'Endpoint', cell: nameEndpoint, fit: 'path' },
  purpose: { label: 'Purpose', cell: (event) => text(event, 'purpose') },
  action: { label: 'Action', cell: (event) => text(event, 'action') },
  resource: { label: 'Resource', cell: (event) => text(event, 'resource'), fit: 'path' },
  jurisdiction: { label: 'Jurisdiction', cell: (event) => text(event, 'jurisdiction') },
  amount: { label: 'Amount', cell: amountOf, fit: 'number' },
  proof: { label: 'Proof of identity', cell: ({ eventData }) => summariseProof(eventData) },
  reasons: { label: 'Reasons', cell: reasonsOf },
  ip: { label: 'IP address', cell: ipOf },
  record: {
    label: 'Record',
    cell: ({ auditRecordId }) => (
      <Text span size="xs" ff="monospace">
        {auditRecordId}
      </Text>
    ),
  },
}

/** The columns that are shown at first. */
export const USUAL_COLUMNS: readonly ActivityColumn[] = ACTIVITY_COLUMNS.filter((column) =>
  ['time', 'outcome', 'event', 'agent', 'endpoint', 'resource', 'amount'].includes(column),
)

/** What a purchase came to; an event that no decision is about has its own name. */
function Outcome({ event }: { event: ActivityItem }): ReactNode {
  const { outcome, purchaseOutcome = outcome } = event
  return purchaseOutcome === null ? null : <StatusBadge value={purchaseOutcome} />
}

/**
 * A cell of the activity; texts of others cannot turn the words around them. A long one is cut off after two lines, so that
 * rows stay short; the page of the event shows all of it.
 */
export function showCell(column: ActivityColumn, event: ActivityItem): ReactNode {
  const { cell: read, fit } = COLUMNS[column]
  const cell = read(event)
  // Words of our own fit.
  if (typeof cell !== 'string' || cell === '' || fit === 'words') return cell
  const words = revealText(cell)
  return (
    <Text span inherit lineClamp={2} title={words}>
      {words}
    </Text>
  )
}

function amountOf(event: ActivityItem): string | null {
  const { transactionValue } = event.eventData
  return typeof transactionValue === 'number'
    ? formatAmount(transactionValue, text(event, 'currency') ?? undefined)
    : null
}

function reasonsOf({ eventData: { dimensions, causes } }: ActivityItem): string | null {
  if (!Array.isArray(dimensions)) return null
  return dimensions.map((dimension) => describeDimension(String(dimension), causes)).join(' ')
}

function ipOf({ eventData }: ActivityItem): string | null {
  const { sourceIp } = (eventData.caller ?? {}) as { sourceIp?: unknown }
  return typeof sourceIp === 'string' ? sourceIp : null
}
