import { Alert, Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Resource } from '../../api/call.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { AddPasskey } from '../../parts/AddPasskey.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { ReasonForm } from '../../parts/forms/ReasonForm.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import { ApproveForm } from './ApproveForm.tsx'

type Props = { id: string; isOwn: boolean }

/** What a decision changes. */
function listStale(id: string): Resource[] {
  return [['GET /api/admin/kyd/:id', { id }], 'GET /api/admin/kyd']
}

/** Approves or rejects a case, confirmed by a passkey; operators cannot decide their own case. */
export function DecideCase({ id, isOwn }: Props) {
  const [isRejecting, setRejecting] = useState(false)
  const { data: me } = useApiQuery('GET /api/me')
  const approving = useApiMutation('POST /api/admin/kyd/:id/approve', { invalidates: listStale(id) })
  if (isOwn) {
    return (
      <Alert color="orange" icon={<Icon name="warning" />} title="This is your own identity">
        Another operator must decide this case.
      </Alert>
    )
  }
  return (
    <Section
      title="Your decision"
      description="Your decision requires a passkey, is sent to the owner and cannot be undone here."
    >
      {me?.passkeyCount === 0 && (
        <Stack gap="xs" align="flex-start">
          <Text>A decision requires a passkey, and you have none yet.</Text>
          <AddPasskey invalidates={['GET /api/me']} />
        </Stack>
      )}
      <FailureNote error={approving.error} />
      <ApproveForm
        isPending={approving.isPending}
        onApprove={(compared) => approving.mutate({ params: { id }, body: { compared } })}
      >
        <Button variant="default" onClick={() => setRejecting(true)}>
          Reject
        </Button>
      </ApproveForm>
      <Modal
        opened={isRejecting}
        onClose={() => setRejecting(false)}
        title="Reject this identity?"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Rejection id={id} onClose={() => setRejecting(false)} />
      </Modal>
    </Section>
  )
}

function Rejection({ id, onClose }: { id: string; onClose: () => void }) {
  const change = useApiMutation('POST /api/admin/kyd/:id/reject', {
    invalidates: listStale(id),
    onDone: onClose,
  })
  return (
    <ReasonForm
      description="Shown to the owner, who may try again. Do not include passport data: the reason is stored."
      action="Reject"
      onConfirm={(reason) => change.mutate({ params: { id }, body: { reason } })}
      {...{ change, onClose }}
    />
  )
}
