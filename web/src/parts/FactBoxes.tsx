import { Checkbox, Group } from '@mantine/core'
import { REQUIRABLE_FACTS, type RequirableFact } from '@svc/core/access/facts.ts'
import { FACT_NAMES } from './words/proofWords.ts'

type Props = { value: readonly RequirableFact[]; onChange: (facts: RequirableFact[]) => void }

/** Checkboxes for what every request has to state. */
export function FactBoxes({ value, onChange }: Props) {
  const choose = (names: string[]) => onChange(REQUIRABLE_FACTS.filter((fact) => names.includes(fact)))
  return (
    <Checkbox.Group
      label="Every request has to state"
      description="One that leaves it out is denied. Without this, a boundary is not compared with what a request does not state."
      value={[...value]}
      onChange={choose}
    >
      <Group mt="xs" gap="md">
        {REQUIRABLE_FACTS.map((fact) => (
          <Checkbox key={fact} value={fact} label={FACT_NAMES[fact]} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
