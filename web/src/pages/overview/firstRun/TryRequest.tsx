import { Button, Group, List, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { request } from '../../../api/request.ts'
import { FormFailure } from '../../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../../parts/forms/readFaults.ts'
import { readFields } from '../../../parts/forms/readFields.ts'
import { type NumberEntry, NumberField } from '../../../parts/NumberField.tsx'
import { StatusBadge } from '../../../parts/StatusBadge.tsx'
import { describeDimension } from '../../../parts/words/dimensionWords.ts'
import { formatAmount } from '../../../parts/words/words.ts'
import { SAMPLE_LIMITS, SAMPLE_REQUEST } from './sampleAgent.ts'

type Decision = AnswerOf<'POST /api/agents/verify-access'>

type Props = { apiKey: string; svceId: string; sampleAgentId: string; onDone: () => void }

const { currency } = SAMPLE_REQUEST
/** One amount for each outcome. */
const AMOUNTS = [SAMPLE_REQUEST.transactionValue, 200, 5_000]

/** Requests a decision as a dry run, and explains it. */
export function TryRequest({ apiKey, svceId, sampleAgentId, onDone }: Props) {
  const [amount, setAmount] = useState<NumberEntry>(SAMPLE_REQUEST.transactionValue)
  const deciding = useMutation({
    mutationFn: ({ agentId, purpose }: { agentId: string; purpose: string }) => {
      const facts = { agentId, purpose, transactionValue: Number(amount), currency }
      return request(
        'POST /api/agents/verify-access',
        { body: { ...facts, counterpartyId: svceId, dryRun: true } },
        apiKey,
      )
    },
    onSuccess: onDone,
  })
  const amountLabel = `Amount in ${currency}`
  const faults = readFaults(deciding.error, {
    agentId: 'Agent',
    purpose: 'Purpose',
    transactionValue: amountLabel,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    deciding.mutate(readFields(event.currentTarget, 'agentId', 'purpose'))
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            name="agentId"
            label="Agent"
            defaultValue={sampleAgentId}
            required
            maxLength={64}
            error={faults.at.agentId}
          />
          <TextInput
            name="purpose"
            label="Purpose"
            defaultValue={SAMPLE_REQUEST.purpose}
            required
            maxLength={200}
            error={faults.at.purpose}
          />
          <NumberField
            label={amountLabel}
            error={faults.at.transactionValue}
            value={amount}
            onChange={setAmount}
            max={1_000_000}
            required
          />
        </SimpleGrid>
        <Group gap="xs">
          <Button type="submit" loading={deciding.isPending}>
            Decide
          </Button>
          {AMOUNTS.map((value) => (
            <Button key={value} variant="default" onClick={() => setAmount(value)}>
              {formatAmount(value, currency)}
            </Button>
          ))}
        </Group>
        <Text size="sm" c="dimmed" maw={720}>
          A dry run: the service decides as it would for a real request, but records nothing and asks nobody.
          The sample agent may spend up to {formatAmount(SAMPLE_LIMITS.autonomousThreshold, currency)}, has to
          ask you up to {formatAmount(SAMPLE_LIMITS.approvalThreshold, currency)}, and never gets more.
        </Text>
        <FormFailure faults={faults} />
        {deciding.data && <Explanation decision={deciding.data} />}
      </Stack>
    </form>
  )
}

const OUTCOMES: Readonly<Record<Decision['recommendation'], string>> = {
  grant: 'Your API would serve this request.',
  audit: 'Your API would serve this request, and it would be marked in the audit log.',
  step_up_required: 'Your API would wait: the owner of the agent has to approve this request first.',
  deny: 'Your API would refuse this request.',
}

function Explanation({ decision: { recommendation, access } }: { decision: Decision }) {
  const restrictions = 'restrictions' in access ? (access.restrictions ?? []) : []
  return (
    <Paper withBorder p="md" role="status" aria-label="Decision">
      <Stack gap="xs">
        <Group gap="sm">
          <StatusBadge value={recommendation} />
          <Text fw={600}>{OUTCOMES[recommendation]}</Text>
        </Group>
        <Text size="sm">{access.reason}</Text>
        {access.failures?.map(({ dimension, guidance }) => (
          <Text size="sm" key={dimension} title={dimension}>
            {describeDimension(dimension)} {guidance}
          </Text>
        ))}
        {restrictions.length > 0 && (
          <>
            <Text size="sm" c="dimmed">
              What applies to this agent here; only its owner sees this:
            </Text>
            <List size="sm">
              {restrictions.map((text) => (
                <List.Item key={text}>{text}</List.Item>
              ))}
            </List>
          </>
        )}
      </Stack>
    </Paper>
  )
}
