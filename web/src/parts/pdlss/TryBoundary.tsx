import { Alert, Button, Fieldset, Group, List, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { compilePolicyEvaluator, type Evaluation } from '@svc/core/policyFile/compilePolicyEvaluator.ts'
import { type FormEvent, useState } from 'react'
import type { Boundary } from '../../api/types.ts'
import { Icon } from '../Icon.tsx'
import { StatusBadge } from '../StatusBadge.tsx'

type Props = { boundary: Boundary; side: PdlssSide }

/** Tries the boundary on a sample request, here in the browser; nothing is sent or recorded. */
export function TryBoundary({ boundary, side }: Props) {
  const [sample, setSample] = useState<{ fields: object; now: number } | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { at, value, ...texts } = Object.fromEntries(new FormData(event.currentTarget))
    const given = Object.entries(texts).filter(([, text]) => text !== '')
    const amount = value === '' ? {} : { transactionValue: Number(value) }
    setSample({ fields: { ...Object.fromEntries(given), ...amount }, now: momentOf(String(at)) })
  }
  return (
    <Fieldset legend={<b>Try it</b>}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            Decides a sample request by this boundary, here in your browser. Nothing is sent.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
            <TextInput name="purpose" label="Purpose" placeholder="shopping:buy" />
            <TextInput name="resource" label="Resource" placeholder="/orders/4711" />
            <TextInput name="jurisdiction" label="Jurisdiction" placeholder="DE" />
            <TextInput name="value" label="Value" type="number" min={0} step="any" placeholder="25" />
            <TextInput name="currency" label="Currency of the value" placeholder="USD" maxLength={10} />
            <TextInput name="at" label="At" type="datetime-local" description="Your time; empty is now" />
          </SimpleGrid>
          <Group>
            <Button type="submit" variant="default" leftSection={<Icon name="play" size={16} />}>
              Try the request
            </Button>
          </Group>
          {sample && <Outcome boundary={boundary} side={side} {...sample} />}
        </Stack>
      </form>
    </Fieldset>
  )
}

function Outcome({ boundary, side, fields, now }: Props & { fields: object; now: number }) {
  const tried = tryBoundary(boundary, side, fields, now)
  if (!tried.ok) {
    return (
      <Alert color="red" role="alert" title="It could not be decided">
        {tried.errors.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')}
      </Alert>
    )
  }
  const { recommendation, failures } = tried.evaluation
  return (
    <Stack gap="xs" role="status" aria-label="Outcome of the sample request" data-outcome={recommendation}>
      <Group gap="xs">
        <StatusBadge value={recommendation} />
        <Text size="sm">
          {failures.length === 0 ? 'Every dimension passes.' : 'These dimensions do not pass:'}
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

function momentOf(local: string): number {
  const moment = local === '' ? Number.NaN : new Date(local).getTime()
  return Number.isNaN(moment) ? Date.now() : moment
}

/** What came of a sample request, or what is wrong with it. */
type Tried = { ok: true; evaluation: Evaluation } | { ok: false; errors: readonly FieldError[] }

/**
 * Decides a sample request by a boundary alone, with the policy that the service compiles.
 *
 * Only the dimensions of the boundary count: scores, allowlists and hourly counts are the service's to know.
 *
 * @param now Epoch milliseconds. Source: verification.md "Policy file".
 */
function tryBoundary(boundary: Boundary, side: PdlssSide, fields: object, now: number): Tried {
  const policy = parsePdlss(boundary, side)
  if (!policy.ok) return policy
  const parsed = parseRequestFields(fields)
  if (!parsed.ok) return parsed
  const { pdlss } = policy
  const file = side === 'agent' ? { pdlss } : { endpoint: { pdlss } }
  return { ok: true, evaluation: compilePolicyEvaluator({ version: '1', ...file })(parsed.request, now) }
}
