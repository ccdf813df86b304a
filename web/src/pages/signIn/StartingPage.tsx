import { Alert, Center, Loader, Stack } from '@mantine/core'
import type { ApiFailure } from '../../api/apiFailure.ts'
import { Icon } from '../../parts/Icon.tsx'

/** Shown until the service has said who is signed in; `failure` says why it could not be asked yet. */
export function StartingPage({ failure }: { failure: ApiFailure | null }) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center" maw={440}>
        <Loader aria-label="Loading" />
        {failure !== null && (
          <Alert
            color="orange"
            icon={<Icon name="warning" />}
            title={failure.code === 'RATE_LIMITED' ? failure.message : 'The service could not be reached'}
            role="status"
          >
            This page tries again by itself and continues as soon as the service responds.
          </Alert>
        )}
      </Stack>
    </Center>
  )
}
