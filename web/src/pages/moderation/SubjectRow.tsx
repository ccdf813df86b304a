import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { revealNode, revealText } from '../../parts/code/revealText.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { capitalise } from '../../parts/words/words.ts'
import type { Subject } from './measure.ts'

type Props = { subject: Subject; onChoose: () => void }

/** A row in a list of operators: what it is, its state in words with the reason, and the measure that can be taken. */
export function SubjectRow({ subject, onChoose }: Props) {
  const { about, status, badges, intervention, measure, isOwn } = subject
  const name = revealText(subject.name)
  return (
    <Paper withBorder px="md" py="sm" component="article" aria-label={name}>
      <Group justify="space-between" gap="sm" align="flex-start">
        <Stack gap={4} style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <StatusBadge value={status} />
            {badges}
          </Group>
          <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
            {revealNode(about)}
          </Text>
          {intervention && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {status === 'archived' ? 'Released' : capitalise(status)} <When time={intervention.decidedAt} />{' '}
              by {intervention.decidedBy}: {revealText(intervention.reason)}
            </Text>
          )}
        </Stack>
        {measure && isOwn && (
          <Text size="sm" c="dimmed">
            Yours: another operator decides
          </Text>
        )}
        {measure && !isOwn && (
          <Button size="xs" variant="default" onClick={onChoose} aria-label={`${measure.label}: ${name}`}>
            {measure.label}…
          </Button>
        )}
      </Group>
    </Paper>
  )
}
