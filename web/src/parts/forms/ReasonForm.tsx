import { Button, Group, Stack, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Icon } from '../Icon.tsx'
import { FormFailure } from './FormFailure.tsx'
import { readFaults } from './readFaults.ts'

type Props = {
  /** Who is told the reason. */
  description: string
  /** Label of the confirming button, without the passkey. */
  action: string
  /** Whether it is done for the benefit of whom it concerns. */
  isRelief?: boolean
  change: { isPending: boolean; error: unknown }
  onConfirm: (reason: string) => void
  onClose: () => void
  /** Shown above the reason. */
  children?: ReactNode
}

/** The lengths of a reason that the service accepts. */
const LENGTH = { min: 3, max: 1000 }

/** Asks an operator for the reason of a decision, which a passkey confirms. */
export function ReasonForm({
  description,
  action,
  isRelief = false,
  change,
  onConfirm,
  onClose,
  children,
}: Props) {
  const [reason, setReason] = useState('')
  const faults = readFaults(change.error, { reason: 'Reason' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onConfirm(reason)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Textarea
          label="Reason"
          description={description}
          required
          minLength={LENGTH.min}
          maxLength={LENGTH.max}
          autosize
          minRows={3}
          data-autofocus
          value={reason}
          error={faults.at.reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(isRelief ? {} : { color: 'red.9' })}
            leftSection={<Icon name="passkey" />}
            loading={change.isPending}
            disabled={reason.trim().length < LENGTH.min}
          >
            {action} with a passkey
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
