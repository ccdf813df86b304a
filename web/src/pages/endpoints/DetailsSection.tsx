import { Button, Group, TextInput } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { type FormEvent, useState } from 'react'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { type NumberEntry, NumberField } from '../../parts/NumberField.tsx'
import { Section } from '../../parts/Section.tsx'
import { useEndpointChange } from './useEndpointChange.ts'

type Edits = { name?: string; score?: NumberEntry }

/**
 * Edits the name of an endpoint and its required trust score. Spec: PUT /api/endpoints/:id.
 *
 * Fields that were not edited follow the stored value and are not sent, because someone else may have changed them.
 */
export function DetailsSection({ endpoint }: { endpoint: Endpoint }) {
  const [edits, setEdits] = useState<Edits>({})
  const { name = endpoint.name, score = endpoint.trustScoreRequirement } = edits
  const id = endpoint.svceId ?? endpoint.id
  const change = useEndpointChange(id, () => setEdits({}))
  const body = {
    ...(name === endpoint.name ? {} : { name }),
    ...(score === endpoint.trustScoreRequirement ? {} : { trustScoreRequirement: Number(score) }),
  }
  const isChanged = Object.keys(body).length > 0
  useLeaveGuard(isChanged)
  const faults = readFaults(change.error, { name: 'Name', trustScoreRequirement: 'Required trust score' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ params: { id }, body })
  }
  return (
    <Section
      title="Name and trust score"
      description="An agent below this score gets restricted access if the policy admits unidentified callers, and none otherwise."
    >
      <form onSubmit={submit}>
        <Group align="flex-start" gap="sm">
          <TextInput
            label="Name"
            value={name}
            onChange={({ currentTarget }) => setEdits({ ...edits, name: currentTarget.value })}
            required
            maxLength={200}
            error={faults.at.name}
            style={{ flex: '1 1 220px' }}
          />
          <NumberField
            label="Required trust score"
            max={100}
            isWhole
            required
            value={score}
            onChange={(value) => setEdits({ ...edits, score: value })}
            w={200}
            error={faults.at.trustScoreRequirement}
          />
          <Button type="submit" mt={25} disabled={!isChanged} loading={change.isPending}>
            Save
          </Button>
        </Group>
        <FormFailure faults={faults} />
      </form>
    </Section>
  )
}
