import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { COMPARISONS } from '@svc/core/kyd/comparisons.ts'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import { COMPARISON_WORDS } from './comparisonWords.ts'

type Props = {
  isPending: boolean
  onApprove: (compared: (typeof COMPARISONS)[number][]) => void
  /** Beside the button. */
  children: ReactNode
}

/** Asks what was compared, all of which is required, before the case can be approved. */
export function ApproveForm({ isPending, onApprove, children }: Props) {
  const [chosen, setChosen] = useState<string[]>([])
  const [hasTried, setTried] = useState(false)
  const isComplete = COMPARISONS.every((one) => chosen.includes(one))
  const approve = () => {
    setTried(true)
    if (isComplete) onApprove([...COMPARISONS])
  }
  return (
    <Stack gap="md">
      <Checkbox.Group
        label="What you have compared"
        description="All of it is required to approve, and recorded with your decision."
        value={chosen}
        onChange={setChosen}
        error={hasTried && !isComplete && 'Compare all of this before you approve, or reject the identity.'}
      >
        <Stack gap="xs" mt="xs" mb="xs">
          {COMPARISONS.map((one) => (
            <Checkbox key={one} value={one} label={COMPARISON_WORDS[one]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group>
        <Button leftSection={<Icon name="passkey" />} loading={isPending} onClick={approve}>
          Approve with a passkey
        </Button>
        {children}
      </Group>
    </Stack>
  )
}
