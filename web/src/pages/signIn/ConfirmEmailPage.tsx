import { Alert, Button, Stack } from '@mantine/core'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { useAddress } from '../../router/navigate.ts'

/** Where a mailed link leads that confirms an address; a button, because mail scanners follow links. */
export function ConfirmEmailPage() {
  const token = useAddress().search.get('token') ?? ''
  const change = useApiMutation({ invalidates: ['/api/me'] })
  return (
    <Stack maw={480}>
      <PageHeader title="Confirm your e-mail address" />
      {change.isSuccess ? (
        <Alert color="teal" icon={<Icon name="check" />} title="Your address is confirmed" role="status">
          <TextLink to="/">Go on to the registry</TextLink>
        </Alert>
      ) : (
        <>
          <FailureNote error={change.error} />
          <Button
            loading={change.isPending}
            onClick={() => change.mutate({ method: 'POST', path: '/api/auth/verify-email', body: { token } })}
          >
            Confirm this address
          </Button>
        </>
      )}
    </Stack>
  )
}
