import { List, NativeSelect, Stack, Text } from '@mantine/core'
import type { Approval } from '@svc/core/contract/approvals.ts'
import type { RequestOptions } from '@svc/core/contract/passkeys.ts'
import {
  type StandingOffer,
  type StandingTerms,
  standingSchemas,
} from '@svc/core/contract/standingApprovals.ts'
import { useState } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { callApi } from '../../api/callApi.ts'
import { type NumberEntry, NumberField } from '../../parts/NumberField.tsx'
import { formatAmount } from '../../parts/words/words.ts'
import { ApproveButton } from './ApproveButton.tsx'
import { summariseApproval } from './summariseApproval.ts'

type Props = { approval: Approval; offer: StandingOffer; onChange: () => void }

const DAYS = [1, 7, 30, 90]

/** The amount and the time for which the owner approves in advance; the passkey signs both. */
export function StandingForm({ approval, offer, onChange }: Props) {
  const [amount, setAmount] = useState<NumberEntry>(undefined)
  const [days, setDays] = useState(7)
  const { currency, minAmount, daysMax } = offer
  const params = { approvalId: approval.approvalId }
  const parsed = standingSchemas.terms.safeParse({ amount, days })
  const standing = parsed.success && parsed.data.amount >= minAmount ? parsed.data : null
  const least = formatAmount(minAmount, currency ?? undefined)
  return (
    <Stack>
      <NumberField
        label={currency === null ? 'Total amount' : `Total amount (${currency})`}
        description={`This request counts first: ${least}`}
        value={amount}
        data-autofocus
        onChange={setAmount}
        error={
          amount !== undefined && standing === null ? `At least ${least}, the amount of this request` : null
        }
      />
      <NativeSelect
        label="For"
        data={DAYS.filter((choice) => choice <= daysMax).map((choice) => ({
          value: String(choice),
          label: choice === 1 ? '1 day' : `${choice} days`,
        }))}
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
      />
      {standing && <Summary {...{ approval, offer, standing }} />}
      <ApproveButton
        isDisabled={standing === null}
        fetchOptions={() => fetchOptions(params, standing)}
        onApprove={(response) =>
          callApi('POST /api/step-up-approvals/:approvalId/approve', {
            params,
            body: { response, ...(standing ? { standing } : {}) },
          })
        }
        onChange={onChange}
      />
    </Stack>
  )
}

type Summarised = { approval: Approval; offer: StandingOffer; standing: StandingTerms }

function Summary({ approval, offer: { currency }, standing: { amount, days } }: Summarised) {
  const { agent, counterparty } = summariseApproval(approval)
  const until = new Date(Date.now() + days * 86_400_000).toLocaleString(undefined, {
    ...{ dateStyle: 'medium', timeStyle: 'short' },
  })
  return (
    <div role="status">
      <Text>
        {agent} may spend up to <b>{formatAmount(amount, currency ?? undefined)}</b> at {counterparty} until{' '}
        {until} without asking you.
      </Text>
      <List size="sm" c="dimmed" mt="xs">
        <List.Item>Never more than its boundary allows.</List.Item>
        <List.Item>
          You are still asked about each amount from its step-up threshold on, and where another rule applies.
        </List.Item>
        <List.Item>Remove it at any time in the agent’s approval rules.</List.Item>
      </List>
    </div>
  )
}

/** The passkey signs the amount and the time, too. */
async function fetchOptions(
  params: { approvalId: string },
  standing: StandingTerms | null,
): Promise<RequestOptions> {
  if (standing === null) throw new Error('there are no terms to sign')
  const call = { params, body: { standing } }
  const { assertionOptions } = await callApi('POST /api/step-up-approvals/:approvalId/options', call)
  if (assertionOptions === null) throw new ApiFailure('INVALID_STATE', 'Your last passkey was removed.')
  return assertionOptions
}
