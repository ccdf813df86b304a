import { Button, Group, List, Text } from '@mantine/core'
import { useState } from 'react'
import type { Endpoint } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { Section } from '../../parts/Section.tsx'

/** The two steps to the end of an endpoint. Spec: States; Spec: Endpoint dashboard actions. */
const STEPS = {
  active: {
    step: 'deactivate',
    title: 'Deactivate the endpoint?',
    action: 'Deactivate for good',
    about: 'Deactivating refuses every agent here from the next request on. It cannot be undone.',
    follows: [
      'Every request of an agent is denied from now on, with counterparty.status.',
      'It cannot be made active again; the address stays taken until you archive it.',
      'The audit records stay, and can be proven as before.',
    ],
  },
  deactivated: {
    step: 'archive',
    title: 'Archive the endpoint?',
    action: 'Archive for good',
    about: 'Archiving hides the endpoint from the list and gives its address free. It cannot be undone.',
    follows: [
      'It is shown among the archived ones only.',
      'Its address is free: you, or anybody else, can register it.',
      'The audit records stay, and can be proven as before.',
    ],
  },
} as const

/** Deactivates an endpoint, and archives one that is deactivated; says what follows before. */
export function EndSection({ endpoint }: { endpoint: Endpoint }) {
  const [isAsking, setAsking] = useState(false)
  const path = `/api/endpoints/${endpoint.svceId ?? endpoint.id}`
  const change = useApiMutation({ invalidates: [path, '/api/endpoints'], onDone: () => setAsking(false) })
  if (endpoint.status === 'archived') return null
  const { step, title, action, about, follows } =
    STEPS[endpoint.status === 'deactivated' ? 'deactivated' : 'active']
  return (
    <Section title="End of the endpoint">
      <Text maw={720}>{about}</Text>
      <Group>
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {step === 'archive' ? 'Archive' : 'Deactivate'}
        </Button>
      </Group>
      <ConfirmModal
        opened={isAsking}
        title={title}
        action={action}
        change={change}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate({ method: 'POST', path: `${path}/${step}` })}
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
