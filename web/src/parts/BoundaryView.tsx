import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { Facts } from './Facts.tsx'
import type { Boundary } from './pdlss/boundaryDimensions.ts'
import { capitalise, wordsOf } from './words.ts'

/** The five dimensions in order. Spec: PDLSS object. */
const DIMENSIONS = [
  ['purpose', 'Purpose'],
  ['duration', 'Duration'],
  ['limits', 'Limits'],
  ['scope', 'Scope'],
  ['selfInstantiation', 'Self-instantiation'],
] as const

/** Shows a boundary by dimension; a dimension without rules restricts nothing. */
export function BoundaryView({ boundary }: { boundary: Boundary }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      {DIMENSIONS.map(([name, title]) => {
        const rules = Object.entries(boundary[name] ?? {})
        return (
          <Stack key={name} gap="xs">
            <Text fw={600} size="sm">
              {title}
            </Text>
            {rules.length === 0 ? (
              <Text size="sm" c="dimmed">
                No restriction
              </Text>
            ) : (
              <Facts
                facts={rules.map(
                  ([rule, value]) =>
                    [capitalise(wordsOf(rule)), renderValue(toReadable(rule, value))] as const,
                )}
              />
            )}
          </Stack>
        )
      })}
    </SimpleGrid>
  )
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const SECONDS = ['maxSessionDuration', 'ttl']

/** Replaces day numbers by names and adds the unit to durations. */
function toReadable(rule: string, value: unknown): unknown {
  if (rule === 'allowedDays' && Array.isArray(value)) return value.map((day) => DAYS[Number(day)] ?? day)
  return SECONDS.includes(rule) ? `${value} seconds` : value
}

function renderValue(value: unknown) {
  if (Array.isArray(value)) {
    return (
      <Group gap={4}>
        {value.map((one) => (
          <Badge key={String(one)} variant="default" radius="sm" tt="none" fw={500} ff="monospace">
            {String(one)}
          </Badge>
        ))}
      </Group>
    )
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, one]) => `${name} ${one}`)
      .join(', ')
  }
  return String(value)
}
