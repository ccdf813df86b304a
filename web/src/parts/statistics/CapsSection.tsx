import { Group, Progress, Stack, Text } from '@mantine/core'
import type { Cap, CapUse } from '@svc/core/contract/statistics.ts'
import type { ReactNode } from 'react'
import { Section } from '../Section.tsx'
import { formatAmount } from '../words/words.ts'

type Names = Readonly<Record<string, string>>

type Props = {
  caps: readonly Cap[]
  /** The names of agents that have one for the reader, by identifier. */
  names: Names
  children?: ReactNode
}

/** How far the caps of a boundary are used up; `children` follow them. */
export function CapsSection({ caps, names, children }: Props) {
  return (
    <Section
      title="Used of the caps"
      description="What the boundary caps over time, and when it starts again."
    >
      {caps.length === 0 && <Text c="dimmed">The boundary has no cap over time.</Text>}
      {caps.map((cap) => (
        <CapView key={`${cap.kind} ${cap.max}`} cap={cap} names={names} />
      ))}
      {children}
    </Section>
  )
}

const PERIODS = {
  hour: 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  total: 'in total',
} as const
const HOLDERS = {
  agent: 'for each agent',
  owner: 'for all agents of an owner',
  endpoint: 'for all callers',
} as const

function CapView({ cap, names }: { cap: Cap; names: Names }) {
  const { kind, max, currency, period, scope, uses } = cap
  const what =
    kind === 'spend' ? formatAmount(max, currency ?? undefined) : `${max.toLocaleString('en')} purchases`
  return (
    <Stack gap="xs">
      <Text fw={600} size="sm">
        At most {what} {PERIODS[period]}, {HOLDERS[scope]}
      </Text>
      {uses.length === 0 && (
        <Text size="sm" c="dimmed">
          {scope === 'owner'
            ? 'What agents of one owner use together is not shown, because it would tell who owns them.'
            : 'Nothing is used up.'}
        </Text>
      )}
      {uses.map((use) => (
        <UseView key={`${use.agentId} ${use.isProven} ${use.currency}`} use={use} cap={cap} names={names} />
      ))}
    </Stack>
  )
}

/** Whose use it is without an agent. */
const ANYBODY = {
  agent: 'Callers without identity',
  owner: 'Callers without identity',
  endpoint: 'All callers',
} as const

function UseView({ use, cap, names }: { use: CapUse; cap: Cap; names: Names }) {
  const { agentId, isProven, used, currency, resetsAt } = use
  const format = (value: number) =>
    cap.kind === 'spend' ? formatAmount(value, currency ?? undefined) : value.toLocaleString('en')
  const percent = cap.max === 0 ? 100 : Math.min(100, (Number(used) / cap.max) * 100)
  const amount = `${format(Number(used))} of ${format(cap.max)}`
  const holder = agentId === null ? ANYBODY[cap.scope] : (names[agentId] ?? agentId)
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {holder}
          {agentId !== null && !isProven && (
            <Text span c="dimmed">
              {' '}
              · requests without proof
            </Text>
          )}
        </Text>
        <Text size="sm" fw={600}>
          {amount}
        </Text>
      </Group>
      <Progress
        value={percent}
        color={percent >= 100 ? 'red' : percent >= 80 ? 'orange' : 'indigo'}
        aria-label={`${holder}: ${amount}`}
      />
      {resetsAt !== null && (
        <Text size="xs" c="dimmed">
          {cap.kind === 'spend' ? 'Starts again' : 'The first of them stops counting'} at{' '}
          {new Date(resetsAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}.
        </Text>
      )}
    </Stack>
  )
}
