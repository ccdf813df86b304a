import { Alert, Button, Stack, Text } from '@mantine/core'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { useAddress } from '../../router/navigate.ts'

/** Target of the mailed confirmation link, after signing in to the account whose address it confirms. */
export function ConfirmEmailPage() {
  const token = useAddress().search.get('token') ?? ''
  const change = useApiMutation('POST /api/auth/verify-email', { invalidates: ['GET /api/me'] })
  return (
    <Stack maw={480}>
      <PageHeader title="Confirm your e-mail address" />
      {change.isSuccess ? (
        <Alert color="teal" icon={<Icon name="check" />} title="Your address is confirmed" role="status">
          <TextLink to="/">Continue to the registry</TextLink>
        </Alert>
      ) : (
        <>
          <Text>You must be signed in to the account with the address that the link was sent to.</Text>
          <FailureNote error={change.error} />
          <Button loading={change.isPending} onClick={() => change.mutate({ body: { token } })}>
            Confirm address
          </Button>
        </>
      )}
    </Stack>
  )
}
