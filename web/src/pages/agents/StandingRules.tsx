import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import type { StandingRule } from '@svc/core/contract/standingApprovals.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { revealText } from '../../parts/code/revealText.ts'
import { formatAmount } from '../../parts/words/words.ts'

type Props = { svcId: string; rules: readonly StandingRule[] }

/** What the owner approved in advance: a rule for each counterparty, which can be removed. */
export function StandingRules({ svcId, rules }: Props) {
  const [removed, setRemoved] = useState<StandingRule | null>(null)
  const remove = useApiMutation('DELETE /api/agents/:id/approval-rules/:ruleId', {
    invalidates: [['GET /api/agents/:id/approval-rules', { id: svcId }]],
    says: 'Removed',
    onDone: () => setRemoved(null),
  })
  if (rules.length === 0) return null
  return (
    <Stack gap="sm">
      <Text fw={600}>Approved in advance</Text>
      {rules.map((rule) => (
        <Row key={rule.ruleId} rule={rule} onRemove={() => setRemoved(rule)} />
      ))}
      <ConfirmModal
        opened={removed !== null}
        title="Ask me again?"
        action="Remove"
        change={remove}
        onConfirm={() => removed && remove.mutate({ params: { id: svcId, ruleId: removed.ruleId } })}
        onClose={() => setRemoved(null)}
      >
        {removed && `You are asked again about each request at ${nameOf(removed)}, from now on.`}
      </ConfirmModal>
    </Stack>
  )
}

function Row({ rule, onRemove }: { rule: StandingRule; onRemove: () => void }) {
  const { amount, used, currency, expiresAt } = rule
  const format = (value: string) => formatAmount(Number(value), currency ?? undefined)
  const until = new Date(expiresAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  const name = nameOf(rule)
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Approved in advance at ${name}`}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={4} miw={0} flex={1}>
          <Text style={{ overflowWrap: 'anywhere' }}>
            Up to <b>{format(amount)}</b> at {name} until {until}
          </Text>
          <Text size="sm" c="dimmed">
            {format(used)} of {format(amount)} used
          </Text>
          <Progress
            value={(100 * Number(used)) / Number(amount)}
            aria-label={`Amount used of the approval at ${name}`}
          />
        </Stack>
        <Button variant="subtle" color="red" onClick={onRemove} aria-label={`Remove the approval at ${name}`}>
          Remove
        </Button>
      </Group>
    </Paper>
  )
}

/** The name that a counterparty gave itself, and the host, which it cannot choose. */
function nameOf({ endpointName, endpointHost, endpointId }: StandingRule): string {
  const names = [...new Set([endpointName, endpointHost])].filter((name) => name !== null)
  return names.map(revealText).join(' · ') || endpointId
}
