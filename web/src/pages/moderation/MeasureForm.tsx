import { Button, Group, List, Stack, Text, Textarea } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { type FormEvent, useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { AddPasskey } from '../../parts/AddPasskey.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { revealText } from '../../parts/revealText.ts'
import type { Measure, Subject } from './measure.ts'

type Props = {
  subject: Subject
  measure: Measure
  onDone: (answer: AnswerOf<Measure['key']>) => void
  onClose: () => void
}

/** The shortest reason that the service accepts. */
const REASON_MIN = 3

/** Asks an operator for the reason and the passkey of a measure, after stating its consequences. */
export function MeasureForm(props: Props) {
  const { data: me } = useApiQuery('GET /api/me')
  if (me?.passkeyCount !== 0) return <ReasonForm {...props} />
  return (
    <Stack>
      <Text>A measure requires a passkey, and you have none yet.</Text>
      <AddPasskey invalidates={['GET /api/me']} />
    </Stack>
  )
}

function ReasonForm({ subject, measure, onDone, onClose }: Props) {
  const [reason, setReason] = useState('')
  const { key, list, action, consequences, told, isRelief } = measure
  const change = useApiMutation(key, { invalidates: [list], onDone })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    change.mutate({ params: { id: subject.id }, body: { reason } })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
          {revealText(subject.summary)}
        </Text>
        <List size="sm" spacing={4}>
          {consequences.map((consequence) => (
            <List.Item key={consequence}>{consequence}</List.Item>
          ))}
        </List>
        <Textarea
          label="Reason"
          description={told}
          required
          minLength={REASON_MIN}
          maxLength={1000}
          autosize
          minRows={3}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <FailureNote error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(isRelief ? {} : { color: 'red.9' })}
            leftSection={<Icon name="passkey" />}
            loading={change.isPending}
            disabled={reason.trim().length < REASON_MIN}
          >
            {action} with a passkey
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
