import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { membershipResources } from '../../../api/membershipResources.ts'
import { useInvalidate } from '../../../api/useInvalidate.ts'
import { readFaults } from '../../../parts/forms/readFaults.ts'
import { readFields } from '../../../parts/forms/readFields.ts'
import { RegistrationFailure } from '../../endpoints/RegistrationFailure.tsx'
import { type Protection, setUpProtection } from './setUpProtection.ts'

type Props = { made: Partial<Protection>; onMade: (made: Partial<Protection>) => void }

/** The form that makes organisation, API key, endpoint and sample agent; sent again, it continues where it failed. */
export function SetUpForm({ made, onMade }: Props) {
  const invalidate = useInvalidate()
  const setUp = useMutation({
    mutationFn: (input: Parameters<typeof setUpProtection>[0]) => setUpProtection(input, made, onMade),
    onSettled: () => invalidate(membershipResources),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = readFields(event.currentTarget, 'organization', 'counterpartyUrl')
    setUp.mutate({
      organization: made.organization?.name ?? fields.organization.trim(),
      counterpartyUrl: fields.counterpartyUrl.trim(),
    })
  }
  // The endpoint is named after its host, so that only the organisation has a name of one’s own.
  const faults = readFaults(setUp.error, {
    name: 'Name of your organisation',
    counterpartyUrl: 'URL of your API',
  })
  const isResumed = setUp.isError && made.organization !== undefined
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {made.endpoint === undefined && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              name="organization"
              label="Name of your organisation"
              placeholder="Acme"
              required
              maxLength={200}
              autoComplete="organization"
              error={faults.at.name}
              {...(made.organization ? { value: made.organization.name, readOnly: true } : {})}
            />
            <TextInput
              name="counterpartyUrl"
              label="URL of your API"
              placeholder="https://api.your-company.io/v1"
              type="url"
              required
              maxLength={2048}
              autoComplete="url"
              error={faults.at.counterpartyUrl}
            />
          </SimpleGrid>
        )}
        <RegistrationFailure
          faults={faults}
          isPending={setUp.isPending}
          onRetry={() => setUp.variables && setUp.mutate(setUp.variables)}
        />
        <Group gap="sm">
          <Button type="submit" loading={setUp.isPending}>
            {made.endpoint !== undefined ? 'Make a sample agent' : isResumed ? 'Continue' : 'Set up'}
          </Button>
        </Group>
        <Text size="sm" c="dimmed" maw={720}>
          This also registers a sample agent in your account, so that you have somebody to try it with. A key
          made in this page signs for it: the key is linked to your account for that moment, removed again and
          thrown away, and you get an e-mail about both.
        </Text>
      </Stack>
    </form>
  )
}
