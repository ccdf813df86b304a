import { Button, Group, List, Text } from '@mantine/core'
import type { Agent } from '@svc/core/contract/agents.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { Section } from '../../parts/Section.tsx'

/** The transitions between the states of an agent. Spec: States. */
const STEPS = {
  suspend: {
    name: 'Suspend',
    title: 'Suspend the agent?',
    action: 'Suspend agent',
    consequences: [
      'All its requests are denied.',
      'You can resume it at any time. It keeps its identifier, score and history.',
    ],
  },
  resume: {
    name: 'Resume',
    title: 'Resume the agent?',
    action: 'Resume agent',
    consequences: ['Its requests are again evaluated against its own boundary and those of the endpoints.'],
  },
  retire: {
    name: 'Retire',
    title: 'Retire the agent permanently?',
    action: 'Retire permanently',
    consequences: [
      'All its requests are denied. This cannot be undone.',
      'Its identifier, token and audit records remain.',
      'To change what an agent may do, retire it and register a new one.',
    ],
  },
} as const

type Step = keyof typeof STEPS

/** Suspends, resumes and retires an agent, after stating the consequences. */
export function StatusSection({ agent }: { agent: Agent }) {
  const [pending, setPending] = useState<Step | null>(null)
  const id = agent.svcId
  const change = useApiMutation(`POST /api/agents/:id/${pending ?? 'suspend'}`, {
    invalidates: [['GET /api/agents/:id', { id }], 'GET /api/agents'],
    onDone: () => setPending(null),
  })
  const steps: Step[] =
    agent.agentStatus === 'active'
      ? ['suspend', 'retire']
      : agent.agentStatus === 'suspended'
        ? ['resume', 'retire']
        : []
  if (steps.length === 0) return null
  const { title, action, consequences } = STEPS[pending ?? 'suspend']
  return (
    <Section title="Suspend or retire">
      <Text maw={720}>
        Suspending stops the agent until you resume it. Retiring is permanent. The boundary of an agent cannot
        be changed; register a new agent instead.
      </Text>
      <Group>
        {steps.map((step) => (
          <Button
            key={step}
            variant={step === 'resume' ? 'filled' : 'light'}
            color={step === 'retire' ? 'red' : undefined}
            onClick={() => {
              change.reset()
              setPending(step)
            }}
          >
            {STEPS[step].name}
          </Button>
        ))}
      </Group>
      <ConfirmModal
        opened={pending !== null}
        title={title}
        action={action}
        change={change}
        onClose={() => setPending(null)}
        onConfirm={() => change.mutate({ params: { id } })}
      >
        <List size="sm" spacing="xs">
          {consequences.map((one) => (
            <List.Item key={one}>{one}</List.Item>
          ))}
        </List>
      </ConfirmModal>
    </Section>
  )
}
