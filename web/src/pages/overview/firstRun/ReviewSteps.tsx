import { Skeleton, Text } from '@mantine/core'
import { useApiQuery } from '../../../api/useApiQuery.ts'
import { AddPasskey } from '../../../parts/AddPasskey.tsx'
import { LinkButton } from '../../../parts/LinkButton.tsx'
import { RecordedStep } from './RecordedStep.tsx'
import { Step, Steps } from './Step.tsx'
import { useOnDone } from './useOnDone.ts'
import { useReview } from './useReview.ts'

type Props = { isOperator: boolean; onDone: () => void }

/** The steps of an operator, until the first identity is decided and its record is read; tells others how to become one. */
export function ReviewSteps({ isOperator, onDone }: Props) {
  if (isOperator) return <Operator onDone={onDone} />
  return (
    <Text maw={720}>
      Only operators review, and this account is not one. Whoever runs this service can make it one.
    </Text>
  )
}

function Operator({ onDone }: { onDone: () => void }) {
  const passkeys = useApiQuery('GET /api/auth/passkeys')
  const { isLoaded, waiting, first, decided, isRecordSeen, onRecordSeen } = useReview()
  const hasPasskey = passkeys.data !== undefined && passkeys.data.items.length > 0
  useOnDone(hasPasskey && decided !== null && isRecordSeen, onDone)
  if (!isLoaded || passkeys.data === undefined) {
    return <Skeleton height={160} aria-busy="true" aria-label="Loading" />
  }
  const hasCase = first !== null || decided !== null
  return (
    <Steps>
      <Step
        number={1}
        title="Add a passkey"
        state={hasPasskey ? 'done' : 'open'}
        about="Every decision of an operator is confirmed with it."
      >
        {!hasPasskey && <AddPasskey invalidates={['GET /api/auth/passkeys']} />}
      </Step>
      <Step
        number={2}
        title={hasCase ? 'Your first case' : 'Waiting for the first case…'}
        state={hasCase ? 'done' : 'waiting'}
        about={hasCase ? describeWaiting(waiting) : 'A case arrives when somebody asks to be verified.'}
      />
      <Step
        number={3}
        title="Decide a case"
        state={decided ? 'done' : 'open'}
        about="Compare the pictures with each other, and the name in the document with that of the account."
      >
        {first && !decided && (
          <LinkButton to={`/operator/${first.id}`} size="xs">
            Open the oldest case
          </LinkButton>
        )}
      </Step>
      <RecordedStep number={4} decided={decided} isSeen={isRecordSeen} onSeen={onRecordSeen} />
    </Steps>
  )
}

function describeWaiting(count: number): string {
  if (count === 0) return 'No identity is waiting for a review.'
  if (count === 1) return 'One identity is waiting for a review.'
  return `${count < 100 ? count : 'More than 99'} identities are waiting for a review.`
}
