import { Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import classes from './ChoiceCards.module.css'

/** An option with its effect. */
export type Choice<Value extends string> = { value: Value; name: string; effect: string }

type Props<Value extends string> = {
  /** What is chosen, for screen readers. */
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** Radio buttons as cards that state the effect of each option. */
export function ChoiceCards<Value extends string>({ label, choices, value, onChange }: Props<Value>) {
  const choose = (chosen: string) => onChange(choices.find((one) => one.value === chosen)?.value ?? value)
  return (
    <Radio.Group value={value} onChange={choose} aria-label={label}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {choices.map((choice) => (
          <Radio.Card key={choice.value} value={choice.value} p="md" className={classes.card}>
            <Group wrap="nowrap" align="flex-start">
              <Radio.Indicator />
              <Stack gap={2}>
                <Text fw={600}>{choice.name}</Text>
                <Text size="sm" c="dimmed">
                  {choice.effect}
                </Text>
              </Stack>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
