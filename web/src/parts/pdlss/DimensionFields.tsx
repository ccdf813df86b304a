import { Alert, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import type { Pdlss, PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import type { Boundary } from '../../api/types.ts'
import { BoundaryField } from './BoundaryField.tsx'
import { changedBoundary } from './changedBoundary.ts'
import type { pdlssFields } from './pdlssFields.ts'
import { spendInWords } from './spendInWords.ts'

type Props = {
  dimension: (typeof pdlssFields)[number]
  side: PdlssSide
  boundary: Boundary
  problems: readonly FieldError[]
  onChange: (boundary: Boundary) => void
}

/** The fields of one dimension, each with what is wrong with it; the limits say what they come to. */
export function DimensionFields({ dimension, side, boundary, problems, onChange }: Props) {
  const { name, title, about, fields } = dimension
  const here = problems.filter(({ pointer }) => pointer.startsWith(`/${name}`))
  return (
    <Fieldset legend={<b>{title}</b>}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {about}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {fields
            .filter(({ only }) => only === undefined || only === side)
            .map((field) => (
              <BoundaryField
                key={field.name}
                field={field}
                value={boundary[name]?.[field.name]}
                error={problemOf(here, `/${name}/${field.name}`, boundary[name]?.[field.name])}
                onChange={(value) => onChange(changedBoundary(boundary, name, field.name, value))}
              />
            ))}
        </SimpleGrid>
        {name === 'limits' && here.length === 0 && (
          <Alert color="blue" role="status" aria-label="What the thresholds come to">
            {spendInWords(boundary.limits as Pdlss['limits']).join('; ')}
          </Alert>
        )}
      </Stack>
    </Fieldset>
  )
}

/** What is wrong with a field, or with one of the names in it, which is then said. */
function problemOf(problems: readonly FieldError[], pointer: string, value: unknown): string | undefined {
  const found = problems.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
  if (found === undefined) return undefined
  const at = found.pointer.slice(pointer.length + 1)
  const entry: unknown = Array.isArray(value) ? value[Number(at)] : undefined
  return at !== '' && entry !== undefined ? `“${String(entry)}”: ${found.message}` : found.message
}
