import { Button, Group, List, Text } from '@mantine/core'
import { useState } from 'react'
import type { Agent } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { Section } from '../../parts/Section.tsx'

/** The steps between the states of an agent. Spec: States. */
const STEPS = {
  suspend: {
    name: 'Suspend',
    title: 'Suspend the agent?',
    action: 'Suspend it',
    follows: [
      'Every request of it is denied from now on, with agent.status.',
      'You can resume it at any time; it keeps its identifier, score and history.',
    ],
  },
  resume: {
    name: 'Resume',
    title: 'Resume the agent?',
    action: 'Resume it',
    follows: ['Its requests are decided again by its boundary and by the endpoints’.'],
  },
  retire: {
    name: 'Retire',
    title: 'Retire the agent for good?',
    action: 'Retire for good',
    follows: [
      'Every request of it is denied from now on, and there is no way back.',
      'Its identifier, its token and its audit records stay.',
      'To change what an agent may do, retire it and register another one.',
    ],
  },
} as const

type Step = keyof typeof STEPS

/** Suspends, resumes and retires an agent; says what follows before. */
export function StatusSection({ agent }: { agent: Agent }) {
  const [asked, setAsked] = useState<Step | null>(null)
  const path = `/api/agents/${agent.svcId}`
  const change = useApiMutation({ invalidates: [path, '/api/agents'], onDone: () => setAsked(null) })
  const steps: Step[] =
    agent.agentStatus === 'active'
      ? ['suspend', 'retire']
      : agent.agentStatus === 'suspended'
        ? ['resume', 'retire']
        : []
  if (steps.length === 0) return null
  const { title, action, follows } = STEPS[asked ?? 'suspend']
  return (
    <Section title="Suspend or retire">
      <Text maw={720}>
        Suspending stops the agent until you resume it. Retiring is final; its boundary can be changed in no
        other way than by registering another agent.
      </Text>
      <Group>
        {steps.map((step) => (
          <Button
            key={step}
            variant={step === 'resume' ? 'filled' : 'light'}
            color={step === 'retire' ? 'red' : undefined}
            onClick={() => {
              change.reset()
              setAsked(step)
            }}
          >
            {STEPS[step].name}
          </Button>
        ))}
      </Group>
      <ConfirmModal
        opened={asked !== null}
        title={title}
        action={action}
        change={change}
        onClose={() => setAsked(null)}
        onConfirm={() => change.mutate({ method: 'POST', path: `${path}/${asked}` })}
      >
        <List size="sm" spacing="xs">
          {follows.map((one) => (
            <List.Item key={one}>{one}</List.Item>
          ))}
        </List>
      </ConfirmModal>
    </Section>
  )
}
