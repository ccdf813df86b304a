import { Alert, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import type { Pdlss, PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import type { Boundary } from '../../api/types.ts'
import { amountInWords } from '../words.ts'
import { BoundaryField } from './BoundaryField.tsx'
import type { pdlssFields } from './boundaryFields.ts'

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

/** A boundary with one field changed; what is empty is left out, because an absent rule restricts nothing. */
function changedBoundary(boundary: Boundary, dimension: string, field: string, value: unknown): Boundary {
  const isEmpty =
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  const { [field]: _, ...others } = boundary[dimension] ?? {}
  const rules = isEmpty ? others : { ...others, [field]: value }
  const { [dimension]: __, ...rest } = boundary
  return Object.keys(rules).length === 0 ? rest : { ...rest, [dimension]: rules }
}

/**
 * What the spend thresholds come to, range by range, from the limits as they are compiled for decisions.
 *
 * Source: verification.md "Spend".
 */
function spendInWords(limits: Pdlss['limits']): readonly string[] {
  const { autonomousThreshold: asks, freshThreshold, hardLimit, currency } = compileLimits(limits, undefined)
  if (hardLimit === Number.POSITIVE_INFINITY) return ['No threshold: spend is not limited.']
  const amount = (value: number) => amountInWords(value, currency)
  const fresh = Math.max(freshThreshold, asks)
  const ranges: [from: number, to: number, what: string][] = [
    [0, asks, 'allowed'],
    [asks, Math.min(fresh, hardLimit), 'asks the owner'],
    [fresh, hardLimit, 'asks the owner, with a passkey used for this request'],
  ]
  const said = ranges
    .filter(([from, to]) => from < to)
    .map(
      ([from, to, what]) =>
        `${from === 0 ? `below ${amount(to)}` : `${amount(from)} to below ${amount(to)}`}: ${what}`,
    )
  return [...said, `from ${amount(hardLimit)}: refused`]
}
