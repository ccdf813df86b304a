import { Stack } from '@mantine/core'
import { boundaryTemplates, type TemplateName } from './boundaryTemplates.ts'
import { ChoiceCards } from './forms/ChoiceCards.tsx'

const CHOICES = Object.entries(boundaryTemplates).map(([value, { name, effect }]) => ({
  value: value as TemplateName,
  name,
  effect,
}))

type Props = { value: TemplateName; onChange: (name: TemplateName) => void }

/** What a boundary can begin with. */
export function BoundaryTemplates({ value, onChange }: Props) {
  return (
    <Stack gap="sm">
      <ChoiceCards label="What the agent may do" choices={CHOICES} value={value} onChange={onChange} />
    </Stack>
  )
}
