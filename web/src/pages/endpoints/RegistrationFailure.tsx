import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import type { Faults } from '../../parts/forms/readFaults.ts'
import { Icon } from '../../parts/Icon.tsx'
import { ChallengeFacts } from './ChallengeFacts.tsx'

type Props = {
  faults: Faults<string>
  isPending: boolean
  /** Sends the same request again. */
  onRetry: () => void
}

/**
 * Explains why an endpoint could not be registered; if another account holds the host without having proven it, shows what
 * to publish to get it, also while the next try is in progress.
 */
export function RegistrationFailure({ faults, isPending, onRetry }: Props) {
  const error = faults.rest
  const [last, setLast] = useState<{ error: unknown; isRepeated: boolean }>({
    error: null,
    isRepeated: false,
  })
  if (error && error !== last.error) {
    setLast({ error, isRepeated: challengeOf(last.error) !== null && challengeOf(error) !== null })
  }
  const challenge = challengeOf(error ?? (isPending ? last.error : null))
  if (challenge === null) return <FormFailure faults={faults} />
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title="Another account has registered this host"
      role="alert"
    >
      <Stack gap="sm">
        <Text size="sm">
          It has not proven that the host is its own. If the host is yours, publish one of these and try
          again: the other account’s endpoints on it will be archived, and yours will have a verified domain.
        </Text>
        <ChallengeFacts challenge={challenge} />
        {last.isRepeated && !isPending && (
          <Text size="sm" fw={600}>
            Neither of them was found. A new DNS record can take some minutes to be visible.
          </Text>
        )}
        <Group>
          <Button loading={isPending} onClick={onRetry}>
            Try again
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

function challengeOf(error: unknown) {
  return error instanceof ApiFailure ? error.challenge : null
}
