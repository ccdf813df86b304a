import { Alert, Fieldset, SimpleGrid, Stack, Text } from '@mantine/core'
import type { FieldError } from '@svc/core/fieldErrors.ts'
import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import type { Pdlss, PdlssSide } from '@svc/core/pdlss/pdlss.ts'
import { formatAmount } from '../words/words.ts'
import { BoundaryField } from './BoundaryField.tsx'
import type { Boundary, boundaryDimensions } from './boundaryDimensions.ts'

type Props = {
  dimension: (typeof boundaryDimensions)[number]
  side: PdlssSide
  boundary: Boundary
  problems: readonly FieldError[]
  onChange: (boundary: Boundary) => void
}

/** The fields of one dimension with their errors; the limits also state what they amount to. */
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
                error={
                  describeThreshold(here, dimension, field.name, boundary[name]) ??
                  findError(here, `/${name}/${field.name}`, boundary[name]?.[field.name])
                }
                onChange={(value) => onChange(setField(boundary, name, field.name, value))}
              />
            ))}
        </SimpleGrid>
        {name === 'limits' && here.length === 0 && (
          <Alert color="blue" role="status" aria-label="Effect of the thresholds">
            {describeSpend(boundary.limits as Pdlss['limits']).join('; ')}
          </Alert>
        )}
      </Stack>
    </Fieldset>
  )
}

/** Says in the labels of the form which threshold another one contradicts; undefined if none does. */
function describeThreshold(
  problems: readonly FieldError[],
  { name, fields }: Props['dimension'],
  field: string,
  rules: Record<string, unknown> = {},
): string | undefined {
  const pointer = `/${name}/${field}`
  if (!problems.some((one) => one.code === 'contradictory' && one.pointer === pointer)) return undefined
  const before = fields.slice(
    0,
    fields.findIndex((one) => one.name === field),
  )
  const amountOf = (one: { name: string }) => Number(rules[one.name] ?? Number.NEGATIVE_INFINITY)
  const highest = before.reduce((high, one) => (amountOf(one) > amountOf(high) ? one : high))
  return `Must not be below ‘${highest.label}’ (${formatAmount(amountOf(highest), undefined)})`
}

/** Finds the error of a field; an error in one entry of a list is prefixed with that entry. */
function findError(problems: readonly FieldError[], pointer: string, value: unknown): string | undefined {
  const found = problems.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
  if (found === undefined) return undefined
  const at = found.pointer.slice(pointer.length + 1)
  const entry: unknown = Array.isArray(value) ? value[Number(at)] : undefined
  return at !== '' && entry !== undefined ? `“${String(entry)}”: ${found.message}` : found.message
}

/** Changes one field of a boundary; an empty value removes it, because an absent rule restricts nothing. */
function setField(boundary: Boundary, dimension: string, field: string, value: unknown): Boundary {
  const isEmpty =
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  const { [field]: _, ...others } = boundary[dimension] ?? {}
  const rules = isEmpty ? others : { ...others, [field]: value }
  const { [dimension]: __, ...rest } = boundary
  return Object.keys(rules).length === 0 ? rest : { ...rest, [dimension]: rules }
}

/** Describes the effect of the spend thresholds by range, using the same compiled limits as the decisions. */
function describeSpend(limits: Pdlss['limits']): readonly string[] {
  const {
    autonomousThreshold: approval,
    freshThreshold,
    hardLimit,
    currency,
  } = compileLimits(limits, undefined)
  if (hardLimit === Number.POSITIVE_INFINITY) return ['No threshold: spending is unlimited.']
  const amount = (value: number) => formatAmount(value, currency)
  const fresh = Math.max(freshThreshold, approval)
  const ranges: [from: number, to: number, what: string][] = [
    [0, approval, 'allowed'],
    [approval, Math.min(fresh, hardLimit), 'requires the owner’s approval'],
    [fresh, hardLimit, 'requires the owner’s approval with a fresh passkey'],
  ]
  const described = ranges
    .filter(([from, to]) => from < to)
    .map(
      ([from, to, what]) =>
        `${from === 0 ? `below ${amount(to)}` : `${amount(from)} to below ${amount(to)}`}: ${what}`,
    )
  return [...described, `${amount(hardLimit)} or more: denied`]
}
