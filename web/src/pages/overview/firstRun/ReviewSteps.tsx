import { Group, Stack, Text } from '@mantine/core'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { LinkButton } from '../../../parts/LinkButton.tsx'

/** What waits for an operator; tells everyone else how to become one. */
export function ReviewSteps({ isOperator }: { isOperator: boolean }) {
  if (isOperator) return <Waiting />
  return (
    <Text maw={720}>
      Only operators review, and this account is not one. Whoever runs this service names its operator in the
      setting <code>SVC_OPERATOR_EMAIL</code>.
    </Text>
  )
}

function Waiting() {
  const cases = useApiQuery('GET /api/admin/kyd', { query: { status: 'pending', limit: 100 } })
  const count = cases.data?.items.length
  return (
    <Stack gap="sm">
      <Text maw={720}>
        {count === undefined
          ? 'Counting the cases…'
          : count === 0
            ? 'No identity is waiting for a review.'
            : count === 1
              ? 'One identity is waiting for a review.'
              : `${count < 100 ? count : 'More than 99'} identities are waiting for a review.`}{' '}
        The navigation shows how many there are.
      </Text>
      <Group gap="xs">
        <LinkButton to="/operator">Review identities</LinkButton>
        <LinkButton to="/moderation" variant="default">
          Moderate accounts
        </LinkButton>
      </Group>
    </Stack>
  )
}
