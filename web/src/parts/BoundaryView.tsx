import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Boundary } from '../api/types.ts'
import { Facts } from './Facts.tsx'
import { capitalised, wordsOf } from './words.ts'

/** The five dimensions in their order. Spec: PDLSS object. */
const DIMENSIONS = [
  ['purpose', 'Purpose'],
  ['duration', 'Duration'],
  ['limits', 'Limits'],
  ['scope', 'Scope'],
  ['selfInstantiation', 'Self-instantiation'],
] as const

/** A declared boundary, dimension by dimension; a dimension without a rule restricts nothing. */
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
                    [capitalised(wordsOf(rule)), shownValue(valueInWords(rule, value))] as const,
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

/** Days have names and durations have a unit; everything else says itself what it is. */
function valueInWords(rule: string, value: unknown): unknown {
  if (rule === 'allowedDays' && Array.isArray(value)) return value.map((day) => DAYS[Number(day)] ?? day)
  return SECONDS.includes(rule) ? `${value} seconds` : value
}

function shownValue(value: unknown) {
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
