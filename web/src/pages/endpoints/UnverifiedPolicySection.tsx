import { Button, Group } from '@mantine/core'
import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import { useState } from 'react'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { ChoiceCards } from '../../parts/forms/ChoiceCards.tsx'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Section } from '../../parts/Section.tsx'
import { POLICY_NAMES } from './policyNames.ts'
import { useEndpointChange } from './useEndpointChange.ts'

/** The effect of each policy. Spec: Unverified-agent policy effects. */
const EFFECTS: readonly (readonly [UnverifiedAgentPolicy, string])[] = [
  ['deny', 'Denied; the response says where to register.'],
  ['audit', 'Admitted with a warning in the response, and recorded.'],
  ['allow_partial', 'Admitted, but only to browse and read.'],
  ['allow_full', 'Admitted like verified agents, but without a scoped token.'],
]

const CHOICES = EFFECTS.map(([value, effect]) => ({ value, name: POLICY_NAMES[value], effect }))

/** Shows and changes the policy for unidentified callers. */
export function UnverifiedPolicySection({ id, policy }: { id: string; policy: UnverifiedAgentPolicy }) {
  const [draft, setChosen] = useState<UnverifiedAgentPolicy | null>(null)
  const chosen = draft ?? policy
  const change = useEndpointChange(id, () => setChosen(null))
  useLeaveGuard(chosen !== policy)
  return (
    <Section title="Unidentified callers" description="The policy for requests that do not name an agent.">
      <ChoiceCards
        label="Policy for unidentified callers"
        choices={CHOICES}
        value={chosen}
        onChange={setChosen}
      />
      <FailureNote error={change.error} />
      <Group>
        <Button
          disabled={chosen === policy}
          loading={change.isPending}
          onClick={() => change.mutate({ params: { id }, body: { unverifiedAgentPolicy: chosen } })}
        >
          Save policy
        </Button>
        {chosen !== policy && (
          <Button variant="subtle" onClick={() => setChosen(null)}>
            Cancel
          </Button>
        )}
      </Group>
    </Section>
  )
}
