import { Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { POLICY_NAMES } from './policyNames.ts'
import classes from './UnverifiedPolicySection.module.css'

/** The effect of each policy. Spec: Unverified-agent policy effects. */
const EFFECTS: readonly (readonly [UnverifiedAgentPolicy, string])[] = [
  ['deny', 'Denied; the response says where to register.'],
  ['audit', 'Admitted with a warning in the response, and recorded.'],
  ['allow_partial', 'Admitted, but only to browse and read.'],
  ['allow_full', 'Admitted like verified agents, but without a scoped token.'],
]

/** Shows and changes the policy for unidentified callers. */
export function UnverifiedPolicySection({ id, policy }: { id: string; policy: UnverifiedAgentPolicy }) {
  const [chosen, setChosen] = useState(policy)
  const change = useApiMutation('PUT /api/endpoints/:id', {
    invalidates: [['GET /api/endpoints/:id', { id }], 'GET /api/endpoints'],
  })
  const choose = (value: string) => setChosen(EFFECTS.find(([one]) => one === value)?.[0] ?? policy)
  return (
    <Section title="Unidentified callers" description="The policy for requests that do not name an agent.">
      <Radio.Group value={chosen} onChange={choose} aria-label="Policy for unidentified callers">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {EFFECTS.map(([value, effect]) => (
            <Radio.Card key={value} value={value} p="md" className={classes.card}>
              <Group wrap="nowrap" align="flex-start">
                <Radio.Indicator />
                <Stack gap={2}>
                  <Text fw={600}>{POLICY_NAMES[value]}</Text>
                  <Text size="sm" c="dimmed">
                    {effect}
                  </Text>
                </Stack>
              </Group>
            </Radio.Card>
          ))}
        </SimpleGrid>
      </Radio.Group>
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
          <Button variant="subtle" onClick={() => setChosen(policy)}>
            Cancel
          </Button>
        )}
      </Group>
    </Section>
  )
}
