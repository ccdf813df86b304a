import { Button, Group, Stack, Text } from '@mantine/core'
import { Facts } from '../../../parts/Facts.tsx'
import { TextLink } from '../../../parts/TextLink.tsx'
import { When } from '../../../parts/When.tsx'
import { COMPARISON_WORDS } from '../../operator/comparisonWords.ts'
import { Step } from './Step.tsx'
import type { ReviewedCase } from './useReview.ts'

type Props = { number: number; decided: ReviewedCase | null; isSeen: boolean; onSeen: () => void }

/** Shows what a decision of this operator left behind, and where abuse is stopped. */
export function RecordedStep({ number, decided, isSeen, onSeen }: Props) {
  return (
    <Step
      number={number}
      title="See what was recorded"
      state={decided && isSeen ? 'done' : 'open'}
      about="Your decision is stored with your identifier, and its owner sees the outcome and the reason."
    >
      {decided && !isSeen && (
        <Group>
          <Button size="xs" variant="default" onClick={onSeen}>
            Show the record
          </Button>
        </Group>
      )}
      {decided && isSeen && (
        <Stack gap="xs">
          <Facts
            facts={[
              [
                'Case',
                <TextLink key="case" to={`/operator/${decided.id}`}>
                  {nameOf(decided)}
                </TextLink>,
              ],
              ['Decision', decided.status],
              ['Decided', decided.decidedAt && <When key="at" time={decided.decidedAt} />],
              ['Decided by', decided.decidedBy],
              ['Reason', decided.reason],
              ['Compared', decided.compared?.map((one) => COMPARISON_WORDS[one]).join('. ')],
            ]}
          />
          <Text size="sm">
            What has to be stopped at once, such as an account that abuses the service, is under{' '}
            <TextLink to="/moderation">Moderation</TextLink>.
          </Text>
        </Stack>
      )}
    </Step>
  )
}

function nameOf({ fullName, email, developerId }: ReviewedCase): string {
  return fullName ?? email ?? developerId
}
