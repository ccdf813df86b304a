import { Anchor, List, Stack, Text } from '@mantine/core'
import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import type { AuditRecord } from '@svc/core/contract/audit.ts'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import type { ReactNode } from 'react'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { describeCounterpartyDecision, nameAccessLevel } from '../../parts/words/accessWords.ts'
import { describeDimension } from '../../parts/words/dimensionWords.ts'
import { eventNames, summariseEvent } from '../../parts/words/eventWords.ts'
import { summariseProof } from '../../parts/words/proofWords.ts'
import { formatAmount, shortenIdentifier } from '../../parts/words/words.ts'
import { POLICY_NAMES } from '../endpoints/policyNames.ts'
import { describeRemoval } from './describeRemoval.ts'
import { ProofSection } from './ProofSection.tsx'

/** An event: the request, the decision, and the proof that it is in the audit log. */
export function EventPage({ id }: { id: string }) {
  const query = useApiQuery('GET /api/audit/records/:id', { params: { id } })
  const event = query.data && recordOf(query.data)?.event
  const title = event ? summariseEvent(event).title : 'Event'
  return (
    <>
      <PageHeader title={title} back={{ to: '/activity', name: 'Activity' }} />
      <Loaded query={query}>
        {(answer) => {
          const record = recordOf(answer)
          return (
            <Stack gap="lg">
              {record && <EventSection event={record.event} />}
              <ProofSection recordId={id} record={record} />
            </Stack>
          )
        }}
      </Loaded>
    </>
  )
}

/** The record, for a party of the event; null if only the proof may be seen. */
function recordOf(answer: AnswerOf<'GET /api/audit/records/:id'>): AuditRecord | null {
  return 'record' in answer ? answer.record : null
}

function EventSection({ event }: { event: ActivityEvent }) {
  const { eventData, agentId, endpointId } = event
  const text = (name: string) => {
    const value = eventData[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  }
  const id = (value: string | null, name: string) => value && <CopyText text={value} name={name} />
  const { transactionValue } = eventData
  const spend =
    typeof transactionValue === 'number'
      ? formatAmount(transactionValue, text('currency') ?? undefined)
      : null
  const facts: [string, ReactNode][] = [
    [
      'When',
      new Date(event.occurredAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
    ],
    ['Type', eventNames[event.eventType] ?? event.eventType],
    ['Access level', nameAccessLevel(eventData.accessLevel)],
    ['Counterparty’s decision', describeCounterpartyDecision(eventData.decision)],
    ['Proof of identity', summariseProof(eventData)],
    [REASON_LABELS[text('recommendation') ?? ''] ?? 'Reasons', listReasons(eventData)],
    ['Purpose', text('purpose')],
    ['Action', text('action')],
    ['Resource', text('resource')],
    ['Jurisdiction', text('jurisdiction')],
    ['Spend', spend],
    [
      'Agent',
      agentId && (
        <TextLink to={`/agents/${agentId}`}>{text('agentName') ?? shortenIdentifier(agentId)}</TextLink>
      ),
    ],
    ['Agent identifier', id(agentId, 'agent identifier')],
    ['Caller', event.callerCategory && CALLERS[event.callerCategory]],
    ['Endpoint', <EndpointName key="endpoint" event={event} />],
    ['Endpoint identifier', id(endpointId, 'endpoint identifier')],
    ['Session', id(text('sessionId'), 'session identifier')],
    ['Correlation', id(text('correlationId'), 'correlation identifier')],
    ['Policy for unidentified callers', POLICY_NAMES[text('unverifiedAgentPolicy') as UnverifiedAgentPolicy]],
    ...listCallerFacts(eventData.caller),
    ['Reason', text('reason') ?? text('errorMessage')],
  ]
  const recommendation = text('recommendation')
  const removal = describeRemoval(eventData)
  return (
    <Section title="Details" right={recommendation ? <StatusBadge value={recommendation} /> : undefined}>
      <Facts facts={facts.filter(([, value]) => value != null)} />
      {removal && (
        <Text size="sm" c="dimmed">
          {removal}
        </Text>
      )}
    </Section>
  )
}

/** Who asked, as the owner of the endpoint sees it. */
const CALLERS: Readonly<Record<NonNullable<ActivityEvent['callerCategory']>, string>> = {
  internally_governed: 'An agent of the endpoint’s owner',
  externally_governed: 'An agent of another owner',
  ungoverned: 'A caller without a registered agent',
}

function EndpointName({ event: { endpointId, endpointCategory, eventData } }: { event: ActivityEvent }) {
  const name = typeof eventData.endpointName === 'string' ? eventData.endpointName : eventData.counterpartyUrl
  if (typeof name !== 'string') {
    if (endpointId === null) return null
    return (
      <>
        {shortenIdentifier(endpointId)}
        {endpointCategory === 'external' && (
          <Text size="xs" c="dimmed">
            {MASKED}
          </Text>
        )}
      </>
    )
  }
  const isOwn = endpointCategory === 'internal' || endpointCategory === null
  return endpointId !== null && isOwn ? <TextLink to={`/endpoints/${endpointId}`}>{name}</TextLink> : name
}

/** Why an endpoint has no name here. Spec: Activity views. */
const MASKED =
  'It belongs to somebody else, so its owner’s name for it is not shown here. Where you approve a request, you see its name and host.'

/** What the dimensions of a decision say about it. */
const REASON_LABELS: Readonly<Record<string, string>> = {
  deny: 'Denied because',
  step_up_required: 'Held because',
  grant: 'Approved although',
}

function listReasons({ dimensions, causes }: ActivityEvent['eventData']): ReactNode {
  if (!Array.isArray(dimensions) || dimensions.length === 0) return null
  return (
    <List spacing={2}>
      {dimensions.map(String).map((dimension) => (
        <List.Item key={dimension}>
          {describeDimension(dimension, causes)}{' '}
          <Anchor href={explanationOf(dimension)} size="xs" underline="always" title={dimension}>
            What to do
          </Anchor>
        </List.Item>
      ))}
    </List>
  )
}

/** The paragraph about a dimension, whose anchor is its name without dots. */
function explanationOf(dimension: string): string {
  return `/docs/denials#${dimension.replaceAll('.', '').toLowerCase()}`
}

const CALLER_LABELS: Record<string, string> = {
  sourceIp: 'Source address',
  userAgent: 'User agent',
  host: 'Host',
  referer: 'Referer',
  forwardedFor: 'Forwarded for',
  agentCardUrl: 'Agent card',
}

function listCallerFacts(caller: unknown): [string, ReactNode][] {
  if (typeof caller !== 'object' || caller === null) return []
  return Object.entries(caller).map(([name, value]) => [CALLER_LABELS[name] ?? name, String(value)])
}
