import { Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** Guides a new account to its first decision; hidden once there is an endpoint. */
export function FirstSteps() {
  const organisations = useApiQuery('GET /api/organizations', { query: { limit: 100 } })
  const keys = useApiQuery('GET /api/api-keys', { query: { limit: 100 } })
  const endpoints = useApiQuery('GET /api/endpoints', { query: { limit: 1 } })
  if (!organisations.data || !keys.data || !endpoints.data) return null
  if (endpoints.data.items.length > 0) return null
  const hasOrganisation = organisations.data.items.some(({ status }) => status === 'active')
  const hasKey = keys.data.items.some(({ organizationId }) => organizationId !== null)
  return (
    <Section title="First steps" description="Four steps to your first decision.">
      <Stack gap="sm">
        <Step number={1} isDone={hasOrganisation}>
          <TextLink to="/organisations">Create an organisation</TextLink>. Every endpoint belongs to one.
        </Step>
        <Step number={2} isDone={hasKey}>
          <TextLink to="/api-keys">Create an API key in the organisation</TextLink>. Your servers authenticate
          with it.
        </Step>
        <Step number={3} isDone={false}>
          <TextLink to="/endpoints">Register an endpoint</TextLink> with that key.
        </Step>
        <Step number={4} isDone={false}>
          Call verify-access for each request from an agent. The decisions appear under{' '}
          <TextLink to="/activity">activity</TextLink>.
        </Step>
      </Stack>
    </Section>
  )
}

function Step({ number, isDone, children }: { number: number; isDone: boolean; children: React.ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon
        size={24}
        radius="xl"
        variant={isDone ? 'filled' : 'light'}
        color={isDone ? 'teal' : 'indigo'}
        role="img"
        aria-label={isDone ? 'Done' : `Step ${number}`}
      >
        {isDone ? <Icon name="check" size={14} /> : <Text size="xs">{number}</Text>}
      </ThemeIcon>
      <Text component="div">{children}</Text>
    </Group>
  )
}
