import { List, Stack, Text } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { AddPasskey } from '../../parts/AddPasskey.tsx'
import { revealText } from '../../parts/code/revealText.ts'
import { ReasonForm } from '../../parts/forms/ReasonForm.tsx'
import type { Measure, Subject } from './measure.ts'

type Props = {
  subject: Subject
  measure: Measure
  onDone: (answer: AnswerOf<Measure['key']>) => void
  onClose: () => void
}

/** Asks an operator for the reason and the passkey of a measure, after stating its consequences. */
export function MeasureForm({ subject, measure, onDone, onClose }: Props) {
  const { data: me } = useApiQuery('GET /api/me')
  const { key, list, action, consequences, told, isRelief } = measure
  const change = useApiMutation(key, { invalidates: [list], onDone })
  if (me?.passkeyCount === 0) {
    return (
      <Stack>
        <Text>A measure requires a passkey, and you have none yet.</Text>
        <AddPasskey invalidates={['GET /api/me']} />
      </Stack>
    )
  }
  return (
    <ReasonForm
      description={told}
      onConfirm={(reason) => change.mutate({ params: { id: subject.id }, body: { reason } })}
      {...{ action, isRelief, change, onClose }}
    >
      <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
        {revealText(subject.summary)}
      </Text>
      <List size="sm" spacing={4}>
        {consequences.map((consequence) => (
          <List.Item key={consequence}>{consequence}</List.Item>
        ))}
      </List>
    </ReasonForm>
  )
}
