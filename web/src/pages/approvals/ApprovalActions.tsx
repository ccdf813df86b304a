import { Alert, Button, Group, Modal, Paper, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../api/apiFailure.ts'
import { callApi } from '../../api/callApi.ts'
import { type AssertionOptions, assertPasskey } from '../../api/passkeyCeremonies.ts'
import { AddPasskey } from '../../parts/AddPasskey.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import classes from './ApprovalActions.module.css'

type Props = {
  /** The approval; status `approved` if it can still be revoked. */
  approval: { status: string; assertionOptions: AssertionOptions | null }
  path: string
  /** The consequences of a denial. */
  denialNote: string
  /** Whether a denial can give a reason to the requester. */
  takesReason?: boolean
  /** Called when the status of the approval may have changed. */
  onChange: () => void
}

/** The available decisions: approve with a passkey, deny, or revoke an approval not yet used. */
export function ApprovalActions({ approval, path, denialNote, takesReason = false, onChange }: Props) {
  const [isDenying, setDenying] = useState(false)
  const { status, assertionOptions } = approval
  if (status !== 'pending' && status !== 'approved') return null
  const isPending = status === 'pending'
  return (
    <>
      {isPending && assertionOptions === null && <FirstPasskey path={path} />}
      <Paper withBorder className={classes.bar} component="section" aria-label="Your decision">
        {isPending && assertionOptions !== null && (
          <Approve path={path} options={assertionOptions} onChange={onChange} />
        )}
        <Button variant="default" size="md" className={classes.button} onClick={() => setDenying(true)}>
          {isPending ? 'Deny' : 'Revoke approval'}
        </Button>
      </Paper>
      <Modal
        opened={isDenying}
        onClose={() => setDenying(false)}
        title={isPending ? 'Deny this request?' : 'Revoke the approval?'}
      >
        <Denial
          {...{ path, denialNote, takesReason }}
          action={isPending ? 'Deny request' : 'Revoke approval'}
          onClose={() => {
            setDenying(false)
            onChange()
          }}
        />
      </Modal>
    </>
  )
}

type ApproveProps = Pick<Props, 'path' | 'onChange'> & { options: AssertionOptions }

function Approve({ path, options, onChange }: ApproveProps) {
  const approving = useMutation({
    mutationFn: async () => {
      const response = await assertPasskey(options)
      await callApi({ method: 'POST', path: `${path}/approve`, body: { response } })
    },
    onSettled: onChange,
  })
  const { error } = approving
  const isCancelled = error instanceof ApiFailure && error.code === 'PASSKEY_CANCELLED'
  return (
    <>
      {isCancelled ? (
        <Alert
          color="orange"
          icon={<Icon name="warning" />}
          title={error.message}
          role="alert"
          className={classes.note}
        >
          The request was not approved. You can try again until it expires.
        </Alert>
      ) : (
        error && (
          <div className={classes.note}>
            <FailureNote error={error} />
          </div>
        )
      )}
      <Button
        size="md"
        className={classes.button}
        leftSection={<Icon name="passkey" />}
        loading={approving.isPending}
        onClick={() => approving.mutate()}
      >
        Approve with a passkey
      </Button>
    </>
  )
}

type DenialProps = Pick<Props, 'path' | 'denialNote' | 'takesReason'> & {
  action: string
  onClose: () => void
}

function Denial({ path, denialNote, takesReason, action, onClose }: DenialProps) {
  const [reason, setReason] = useState('')
  const denying = useMutation({
    mutationFn: () => {
      const body = reason.trim() === '' ? {} : { reason: reason.trim() }
      return callApi({ method: 'POST', path: `${path}/deny`, body })
    },
    onSuccess: onClose,
  })
  return (
    <Stack>
      <Text>{denialNote}</Text>
      {takesReason && (
        <Textarea
          label="Reason"
          description="Shown to the requester"
          maxLength={1000}
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <FailureNote error={denying.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Back
        </Button>
        <Button color="red.9" loading={denying.isPending} onClick={() => denying.mutate()}>
          {action}
        </Button>
      </Group>
    </Stack>
  )
}

function FirstPasskey({ path }: { path: string }) {
  return (
    <Alert
      color="indigo"
      icon={<Icon name="passkey" />}
      title="Approving requires a passkey, and you have none yet"
    >
      <Stack gap="md">
        <Text size="sm">
          Create one on this device with your fingerprint, your face or the device’s PIN. Then use it to
          approve.
        </Text>
        <AddPasskey invalidates={[path, '/api/auth/passkeys', '/api/me']} />
      </Stack>
    </Alert>
  )
}
