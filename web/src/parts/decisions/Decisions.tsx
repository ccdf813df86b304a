import { Box, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { DecisionsChart } from './DecisionsChart.tsx'
import { type Bar, OUTCOMES, type Period } from './groupDecisions.ts'

/** The decisions of a period: their number by outcome, and over time as a chart or a table. */
export function Decisions({
  bars,
  period,
  isComplete = true,
}: {
  bars: Bar[]
  period: Period
  isComplete?: boolean
}) {
  const [asTable, setAsTable] = useState(false)
  const counts = Object.fromEntries(
    OUTCOMES.map(({ name }) => [name, bars.reduce((sum, bar) => sum + bar.counts[name], 0)]),
  )
  if (Object.values(counts).every((count) => count === 0)) {
    return (
      <Text c="dimmed">No decisions in this period. Decisions appear here as soon as an agent asks.</Text>
    )
  }
  return (
    <Stack gap="md">
      <RecommendationBar parts={OUTCOMES} counts={counts} />
      <DecisionsChart bars={bars} period={period} asTable={asTable} />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {isComplete ? '' : 'Too many to count: the earliest are left out.'}
        </Text>
        <Button size="xs" variant="default" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show chart' : 'Show table'}
        </Button>
      </Group>
    </Stack>
  )
}

type Props = {
  parts: readonly { name: string; label: string; color: string }[]
  counts: Readonly<Record<string, number>>
}

/** Number of decisions by outcome. */
function RecommendationBar({ parts, counts }: Props) {
  const counted = parts.map((part) => ({ ...part, count: counts[part.name] ?? 0 }))
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  return (
    <Stack gap="sm">
      <Group gap={3} wrap="nowrap" h={12} aria-hidden="true">
        {counted
          .filter(({ count }) => count > 0)
          .map(({ name, count, color }) => (
            <Box
              key={name}
              h={12}
              miw={6}
              bg={`${color}.6`}
              style={{ flexGrow: count / total, borderRadius: 4 }}
            />
          ))}
      </Group>
      <SimpleGrid cols={{ base: 2, xs: 4 }} component="dl" m={0} maw={640}>
        {counted.map(({ name, label, count, color }) => (
          <Stack key={name} gap={0}>
            <Group gap={6} component="dt">
              <Box w={10} h={10} bg={`${color}.6`} style={{ borderRadius: 3 }} />
              <Text size="sm" c="dimmed">
                {label}
              </Text>
            </Group>
            <Text component="dd" m={0} fz={26} fw={650}>
              {count.toLocaleString('en')}
            </Text>
          </Stack>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
