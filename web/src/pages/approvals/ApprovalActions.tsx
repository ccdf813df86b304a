import { Alert, Button, Group, Modal, Paper, Stack, Text, Textarea } from '@mantine/core'
import type { RequestOptions } from '@svc/core/contract/passkeys.ts'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { Resource } from '../../api/call.ts'
import type { Assertion } from '../../api/passkeyCeremonies.ts'
import { AddPasskey } from '../../parts/AddPasskey.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import classes from './ApprovalActions.module.css'
import { ApproveButton } from './ApproveButton.tsx'

type Props = {
  /** The approval; status `approved` if it can still be revoked. */
  approval: { status: string; assertionOptions: RequestOptions | null }
  /** The approval in the cache. */
  resource: Resource
  /** Fetches the options that the passkey signs, if they depend on what the owner has entered. */
  fetchOptions?: () => Promise<RequestOptions | null>
  onApprove: (response: Assertion) => Promise<unknown>
  /** @param reason For the requester, if one was given. */
  onDeny: (reason: string | undefined) => Promise<unknown>
  /** The consequences of a denial. */
  denialNote: string
  /** Another way to approve, between approving and denying. */
  further?: ReactNode
  /** Whether a denial can give a reason to the requester. */
  takesReason?: boolean
  /** Called when the status of the approval may have changed. */
  onChange: () => void
}

/** The available decisions: approve with a passkey, deny, or revoke an approval not yet used. */
export function ApprovalActions({
  approval,
  denialNote,
  takesReason = false,
  onChange,
  further,
  ...props
}: Props) {
  const { resource, fetchOptions, onApprove, onDeny } = props
  const [isDenying, setDenying] = useState(false)
  const passkey = useRef<HTMLDivElement>(null)
  const { status, assertionOptions } = approval
  if (status !== 'pending' && status !== 'approved') return null
  const isPending = status === 'pending'
  return (
    <>
      <div ref={passkey} hidden={!isPending || assertionOptions !== null}>
        {isPending && assertionOptions === null && <FirstPasskey resource={resource} />}
      </div>
      <Paper withBorder className={classes.bar} component="section" aria-label="Your decision">
        {isPending && assertionOptions !== null && (
          <ApproveButton
            fetchOptions={async () => (await fetchOptions?.()) ?? assertionOptions}
            onApprove={onApprove}
            onChange={onChange}
          />
        )}
        {isPending && assertionOptions === null && (
          <Button size="md" className={classes.main} onClick={() => focusPasskeyName(passkey.current)}>
            Add a passkey to approve
          </Button>
        )}
        {isPending && assertionOptions !== null && further}
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
          {...{ onDeny, denialNote, takesReason }}
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

/** Brings the form for a passkey into sight and the focus into it. */
function focusPasskeyName(form: HTMLElement | null): void {
  form?.scrollIntoView({ block: 'center' })
  form?.querySelector('input')?.focus({ preventScroll: true })
}

type DenialProps = Pick<Props, 'onDeny' | 'denialNote' | 'takesReason'> & {
  action: string
  onClose: () => void
}

function Denial({ onDeny, denialNote, takesReason, action, onClose }: DenialProps) {
  const [reason, setReason] = useState('')
  const denying = useMutation({
    mutationFn: () => onDeny(reason.trim() || undefined),
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

function FirstPasskey({ resource }: Pick<Props, 'resource'>) {
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
        <AddPasskey invalidates={[resource, 'GET /api/auth/passkeys', 'GET /api/me']} />
      </Stack>
    </Alert>
  )
}
