import { Alert, Button, Fieldset, Group, List, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { compilePolicyEvaluator, type Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import { type FormEvent, useState } from 'react'
import { Icon } from '../Icon.tsx'
import { StatusBadge } from '../StatusBadge.tsx'
import type { Boundary } from './boundaryDimensions.ts'

type Props = { boundary: Boundary; side: PdlssSide }

/** Tests the boundary on a sample request in the browser; nothing is sent or recorded. */
export function TryBoundary({ boundary, side }: Props) {
  const [sample, setSample] = useState<{ fields: object; now: number } | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { at, value, ...texts } = Object.fromEntries(new FormData(event.currentTarget))
    const given = Object.entries(texts).filter(([, text]) => text !== '')
    const amount = value === '' ? {} : { transactionValue: Number(value) }
    setSample({ fields: { ...Object.fromEntries(given), ...amount }, now: parseMoment(String(at)) })
  }
  return (
    <Fieldset legend={<b>Try it</b>}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            Evaluates a sample request against this boundary in your browser. Nothing is sent.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
            <TextInput name="purpose" label="Purpose" placeholder="shopping:buy" />
            <TextInput name="resource" label="Resource" placeholder="/orders/4711" />
            <TextInput name="jurisdiction" label="Jurisdiction" placeholder="DE" />
            <TextInput
              name="value"
              label="Transaction value"
              type="number"
              min={0}
              step="any"
              placeholder="25"
            />
            <TextInput name="currency" label="Transaction currency" placeholder="USD" maxLength={10} />
            <TextInput
              name="at"
              label="Time"
              type="datetime-local"
              description="Your local time; empty means now"
            />
          </SimpleGrid>
          <Group>
            <Button type="submit" variant="default" leftSection={<Icon name="play" size={16} />}>
              Test the request
            </Button>
          </Group>
          {sample && <SampleOutcome boundary={boundary} side={side} {...sample} />}
        </Stack>
      </form>
    </Fieldset>
  )
}

function SampleOutcome({ boundary, side, fields, now }: Props & { fields: object; now: number }) {
  const outcome = evaluateSample(boundary, side, fields, now)
  if (!outcome.ok) {
    return (
      <Alert color="red" role="alert" title="The request could not be evaluated">
        {outcome.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')}
      </Alert>
    )
  }
  const { recommendation, failures } = outcome.evaluation
  return (
    <Stack gap="xs" role="status" aria-label="Outcome of the sample request" data-outcome={recommendation}>
      <Group gap="xs">
        <StatusBadge value={recommendation} />
        <Text size="sm">
          {failures.length === 0 ? 'All dimensions pass.' : 'These dimensions do not pass:'}
        </Text>
      </Group>
      {failures.length > 0 && (
        <List size="sm" spacing={4}>
          {failures.map(({ dimension, message }) => (
            <List.Item key={dimension}>
              <code>{dimension}</code>: {message}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}

function parseMoment(local: string): number {
  const moment = local === '' ? Number.NaN : new Date(local).getTime()
  return Number.isNaN(moment) ? Date.now() : moment
}

/** The evaluation of a sample request, or what is wrong with the request. */
type Outcome = { ok: true; evaluation: Evaluation } | { ok: false; errors: readonly FieldError[] }

/**
 * Evaluates a sample request against a boundary, with the same compiled policy as the service.
 *
 * Considers only the boundary: trust scores, allowlists and hourly counters are known only to the service.
 *
 * @param now Epoch milliseconds.
 */
function evaluateSample(boundary: Boundary, side: PdlssSide, fields: object, now: number): Outcome {
  const policy = parsePdlss(boundary, side)
  if (!policy.ok) return policy
  const parsed = parseRequestFields(fields)
  if (!parsed.ok) return parsed
  const { pdlss } = policy
  const file = side === 'agent' ? { pdlss } : { endpoint: { pdlss } }
  return { ok: true, evaluation: compilePolicyEvaluator({ version: '1', ...file })(parsed.request, now) }
}
