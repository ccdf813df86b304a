import { Alert, Button, Stack } from '@mantine/core'
import { useApiMutation } from '../api/useApiMutation.ts'
import { useApiQuery } from '../api/useApiQuery.ts'
import { FailureNote } from './FailureNote.tsx'
import { Icon } from './Icon.tsx'

/** Says when the account will be erased, and keeps it; nothing for other accounts. */
export function ErasureNote() {
  const { data: me } = useApiQuery('GET /api/me')
  const keep = useApiMutation('POST /api/me/keep', { invalidates: ['GET /api/me'] })
  if (!me?.erasureAt) return null
  const day = new Date(me.erasureAt).toLocaleDateString('en-GB', { dateStyle: 'long' })
  return (
    <Alert
      color="red"
      icon={<Icon name="warning" />}
      title={`Your account will be erased on ${day}`}
      role="status"
    >
      <Stack gap="sm" align="flex-start">
        Your agents will be retired and your data erased. Until then everything works as before.
        <FailureNote error={keep.error} />
        <Button size="xs" loading={keep.isPending} onClick={() => keep.mutate()}>
          Keep my account
        </Button>
      </Stack>
    </Alert>
  )
}
