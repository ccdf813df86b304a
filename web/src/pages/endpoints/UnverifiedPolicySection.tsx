import { Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { policyNames } from './policyNames.ts'
import classes from './UnverifiedPolicySection.module.css'

/** What each policy comes to. Spec: Unverified-agent policy effects. */
const EFFECTS: readonly (readonly [UnverifiedAgentPolicy, string])[] = [
  ['deny', 'Nobody gets in without identity; the answer says where to register.'],
  ['audit', 'They get in, your response carries a warning, and each of them is on record.'],
  ['allow_partial', 'They may browse and read, nothing else.'],
  ['allow_full', 'They get in like verified agents, without a scoped token.'],
]

/** Shows and changes how callers without identity are met. */
export function UnverifiedPolicySection({ id, policy }: { id: string; policy: UnverifiedAgentPolicy }) {
  const [chosen, setChosen] = useState<string>(policy)
  const path = `/api/endpoints/${encodeURIComponent(id)}`
  const change = useApiMutation({ invalidates: [path, '/api/endpoints'] })
  return (
    <Section title="Callers without identity" description="The policy for requests that name no agent.">
      <Radio.Group value={chosen} onChange={setChosen} aria-label="Policy for callers without identity">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {EFFECTS.map(([value, effect]) => (
            <Radio.Card key={value} value={value} p="md" className={classes.card}>
              <Group wrap="nowrap" align="flex-start">
                <Radio.Indicator />
                <Stack gap={2}>
                  <Text fw={600}>{policyNames[value]}</Text>
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
          onClick={() => change.mutate({ method: 'PUT', path, body: { unverifiedAgentPolicy: chosen } })}
        >
          Save policy
        </Button>
        {chosen !== policy && (
          <Button variant="subtle" onClick={() => setChosen(policy)}>
            Keep “{policyNames[policy]}”
          </Button>
        )}
      </Group>
    </Section>
  )
}
