import { Button, Group, List, Text } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { Section } from '../../parts/Section.tsx'

/** The last two transitions of an endpoint. Spec: States; Spec: Endpoint dashboard actions. */
const STEPS = {
  active: {
    step: 'deactivate',
    title: 'Deactivate the endpoint?',
    action: 'Deactivate permanently',
    note: 'Deactivating denies every agent from the next request on. This cannot be undone.',
    consequences: [
      'All requests of agents are denied.',
      'It cannot be reactivated. Its URL remains reserved until you archive it.',
      'The audit records remain provable.',
    ],
  },
  deactivated: {
    step: 'archive',
    title: 'Archive the endpoint?',
    action: 'Archive permanently',
    note: 'Archiving hides the endpoint from the list and releases its URL. This cannot be undone.',
    consequences: [
      'It appears only in the list of archived endpoints.',
      'Its URL is released: you or anyone else can register it.',
      'The audit records remain provable.',
    ],
  },
} as const

/** Deactivates an active endpoint or archives a deactivated one, after stating the consequences. */
export function LifecycleSection({ endpoint }: { endpoint: Endpoint }) {
  const [isAsking, setAsking] = useState(false)
  const id = endpoint.svceId ?? endpoint.id
  const { step, title, action, note, consequences } =
    STEPS[endpoint.status === 'deactivated' ? 'deactivated' : 'active']
  const change = useApiMutation(`POST /api/endpoints/:id/${step}`, {
    invalidates: [['GET /api/endpoints/:id', { id }], 'GET /api/endpoints'],
    onDone: () => setAsking(false),
  })
  if (endpoint.status === 'archived') return null
  return (
    <Section title="Deactivate or archive">
      <Text maw={720}>{note}</Text>
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
