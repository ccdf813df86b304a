import { Alert, Group, Stack, Text } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import type { HealthCheck } from '@svc/core/contract/service.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Facts } from '../../parts/Facts.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { wordsOf } from '../../parts/words/words.ts'
import { AnchoringSection } from '../audit/AnchoringSection.tsx'
import { LogChoice, useLogNumber } from '../audit/LogChoice.tsx'

const POLL_MS = 15_000

/** The state of the service and of its parts, for anybody. */
export function StatusPage() {
  const log = useLogNumber()
  const health = useApiQuery('GET /api/health', { alsoAccept: 503, pollMs: POLL_MS })
  return (
    <>
      <PageHeader
        title="Status of the service"
        description="What works right now, as the service itself sees it. Updates automatically."
      />
      <Stack gap="lg">
        <Loaded query={health}>{(report) => <Report report={report} />}</Loaded>
        <LogChoice />
        <AnchoringSection log={log} />
      </Stack>
    </>
  )
}

const VERDICTS = {
  pass: { color: 'teal', icon: 'check', title: 'Everything works' },
  warn: {
    color: 'orange',
    icon: 'warning',
    title: 'Decisions are made, but part of the service has a problem',
  },
  fail: { color: 'red', icon: 'warning', title: 'The service cannot make decisions at the moment' },
} as const

/** The parts, and what it means for whoever uses the service if one of them has a problem. */
const PARTS = [
  ['database', 'Database', 'Without it, nothing is decided or recorded.'],
  ['chain', 'Chain', 'Without it, decisions continue, and records are anchored later.'],
  [
    'relayer',
    'Relayer',
    'It writes to the chain and pays for it. Without it, agents and records wait for the chain.',
  ],
  [
    'auditQueue',
    'Audit records',
    'What is recorded but does not yet have its place on the chain cannot be proven yet.',
  ],
  ['replica', 'Read replica', 'Without it, lists and exports are read from the database itself.'],
  [
    'witnesses',
    'Witnesses',
    'They confirm that the audit log only grows. Without them, records are proven by the chain only.',
  ],
  [
    'process',
    'Process',
    'It is about to end. Requests are still answered, and the next ones go to another process.',
  ],
] as const

function Report({ report: { status, version, time, checks } }: { report: AnswerOf<'GET /api/health'> }) {
  const { color, icon, title } = VERDICTS[status]
  return (
    <>
      <Alert color={color} icon={<Icon name={icon} />} title={title} role="status" data-status={status}>
        Version {version}, checked <When time={time} />.
      </Alert>
      <Section title="Parts">
        <Facts
          facts={PARTS.flatMap(([part, name, about]) => {
            const check = checks[part]
            return check === undefined
              ? []
              : [[name, <Part key={part} check={check} about={about} />] as const]
          })}
        />
      </Section>
    </>
  )
}

/** What the parts observe, in words. */
const OBSERVATIONS: Readonly<Record<string, (value: string | number) => string>> = {
  behindBytes: (bytes) => (Number(bytes) === 0 ? 'Up to date' : `${bytes} bytes behind`),
  witnesses: (count) => `${count} configured`,
  cosigned: (count) => `${count} up to date`,
  backlog: (count) => (Number(count) === 0 ? 'Nothing waits' : `${count} wait`),
  waiting: (count) => (Number(count) === 0 ? 'None waits' : `${count} wait`),
  oldestSeconds: (seconds) => (Number(seconds) === 0 ? '' : `the oldest for ${seconds} seconds`),
  pendingSeconds: (seconds) =>
    Number(seconds) === 0 ? '' : `the oldest without a place in the log for ${seconds} seconds`,
  budgetSpareGwei: (gwei) => `${gwei} gwei left of today’s budget`,
}

function Part({ check, about }: { check: HealthCheck; about: string }) {
  const observed = Object.entries(check.observed ?? {}).map(
    ([name, value]) => OBSERVATIONS[name]?.(value) ?? `${wordsOf(name)} ${value}`,
  )
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <StatusBadge value={check.status} />
        {[check.detail, ...observed].filter(Boolean).join(' · ')}
      </Group>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </Stack>
  )
}
