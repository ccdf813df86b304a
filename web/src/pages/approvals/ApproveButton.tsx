import { Alert, Button } from '@mantine/core'
import type { RequestOptions } from '@svc/core/contract/passkeys.ts'
import { useMutation } from '@tanstack/react-query'
import { ApiFailure } from '../../api/apiFailure.ts'
import { type Assertion, assertPasskey } from '../../api/passkeyCeremonies.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import classes from './ApprovalActions.module.css'

type Props = {
  /** Returns the options that the passkey signs. */
  fetchOptions: () => Promise<RequestOptions>
  onApprove: (response: Assertion) => Promise<unknown>
  /** Called when the status of the approval may have changed. */
  onChange: () => void
  isDisabled?: boolean
}

/** The button that approves with a passkey, and above it why that did not succeed. */
export function ApproveButton({ fetchOptions, onApprove, onChange, isDisabled = false }: Props) {
  const approving = useMutation({
    mutationFn: async () => onApprove(await assertPasskey(await fetchOptions())),
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
        className={classes.main}
        leftSection={<Icon name="passkey" />}
        loading={approving.isPending}
        disabled={isDisabled}
        onClick={() => approving.mutate()}
      >
        Approve with a passkey
      </Button>
    </>
  )
}
