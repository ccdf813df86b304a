import { Alert, Button, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type AssertionOptions, answerByPasskey } from '../api/answerByPasskey.ts'
import { ApiFailure } from '../api/apiFailure.ts'
import { callApi } from '../api/callApi.ts'
import type { Approval } from '../api/types.ts'
import { FailureNote } from '../parts/FailureNote.tsx'
import { Icon } from '../parts/Icon.tsx'
import { AddPasskey } from './AddPasskey.tsx'
import classes from './ApprovalActions.module.css'

type Props = {
  approval: Approval & { assertionOptions: AssertionOptions | null }
  path: string
  /** Called when the approval may stand otherwise than it is shown. */
  onChange: () => void
}

/** The answers that an approval can still get: yes by a passkey, no by a word; what was given can be taken back. */
export function ApprovalActions({ approval, path, onChange }: Props) {
  const [isDenying, setDenying] = useState(false)
  const { status, assertionOptions } = approval
  if (status !== 'pending' && status !== 'approved') return null
  const isPending = status === 'pending'
  return (
    <>
      {isPending && assertionOptions === null && <FirstPasskey path={path} />}
      <Paper withBorder className={classes.bar} component="section" aria-label="Your answer">
        {isPending && assertionOptions !== null && (
          <Approve path={path} options={assertionOptions} onChange={onChange} />
        )}
        <Button variant="default" size="md" className={classes.answer} onClick={() => setDenying(true)}>
          {isPending ? 'Deny' : 'Take the approval back'}
        </Button>
      </Paper>
      <Modal
        opened={isDenying}
        onClose={() => setDenying(false)}
        title={isPending ? 'Deny this request?' : 'Take the approval back?'}
      >
        <Denial
          path={path}
          onClose={() => {
            setDenying(false)
            onChange()
          }}
        />
      </Modal>
    </>
  )
}

function Approve({ path, options, onChange }: Omit<Props, 'approval'> & { options: AssertionOptions }) {
  const approving = useMutation({
    mutationFn: async () => {
      const response = await answerByPasskey(options)
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
          Nothing was approved. You can try again while there is time.
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
        className={classes.answer}
        leftSection={<Icon name="passkey" />}
        loading={approving.isPending}
        onClick={() => approving.mutate()}
      >
        Approve with a passkey
      </Button>
    </>
  )
}

function Denial({ path, onClose }: { path: string; onClose: () => void }) {
  const denying = useMutation({
    mutationFn: () => callApi({ method: 'POST', path: `${path}/deny`, body: {} }),
    onSuccess: onClose,
  })
  return (
    <Stack>
      <Text>
        The request does not go through, also when it is sent again. It does not count against the agent. This
        cannot be undone.
      </Text>
      <FailureNote error={denying.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          Back
        </Button>
        <Button color="red" loading={denying.isPending} onClick={() => denying.mutate()}>
          Deny it
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
      title="Approving takes a passkey, and you have none yet"
    >
      <Stack gap="md">
        <Text size="sm">
          Make one on this device: it takes your fingerprint, your face or the device’s PIN. Then approve with
          it.
        </Text>
        <AddPasskey touches={[path, '/api/auth/passkeys', '/api/me']} />
      </Stack>
    </Alert>
  )
}
