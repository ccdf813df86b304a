import type { z } from 'zod'
import { type FieldError, fieldErrorsOf } from '../fieldErrors.ts'
import { isJsonObject } from '../json.ts'
import type { RecordShape, Shape, ShapeFault } from './shape.ts'

type Path = readonly (string | number)[]

/** `continues` is true of a fault that leaves the value usable for the checks of the record around it. */
type Issue = { continues: boolean; path: Path; code: string; message?: string; input?: unknown } & Record<
  string,
  unknown
>

/**
 * Parses a JSON value by its shape: returns a copy with only the members of the shape, or every field error.
 *
 * The errors are those of `parseWith` for the equivalent schema, in the same words and order, except that nothing is said
 * about the length of a value of the wrong type.
 */
export function parseShape(
  shape: Shape,
  value: unknown,
): { ok: true; value: unknown } | { ok: false; errors: FieldError[] } {
  const issues: Issue[] = []
  const parsed = parse(shape, value, [], issues)
  if (issues.length === 0) return { ok: true, value: parsed }
  return { ok: false, errors: fieldErrorsOf({ issues: issues as unknown as z.core.$ZodIssue[] }) }
}

function parse(shape: Shape, value: unknown, path: Path, issues: Issue[]): unknown {
  switch (shape.kind) {
    case 'text':
      return parseText(shape, value, path, issues)
    case 'number':
      return parseNumber(shape, value, path, issues)
    case 'flag':
      if (typeof value !== 'boolean') issues.push(wrongType('boolean', value, path))
      return value
    case 'choice': {
      const { values } = shape
      if (values.some((one) => one === value)) return value
      issues.push({ code: 'invalid_value', values, input: value, path, continues: false })
      return value
    }
    case 'list':
      return parseList(shape, value, path, issues)
    case 'record':
      return parseRecord(shape, value, path, issues)
  }
}

type Kind<Name extends Shape['kind']> = Extract<Shape, { kind: Name }>

function parseText(shape: Kind<'text'>, value: unknown, path: Path, issues: Issue[]): unknown {
  if (typeof value !== 'string') {
    issues.push(wrongType('string', value, path))
    return value
  }
  const { lengthMin = 0, lengthMax = Number.POSITIVE_INFINITY, pattern, find } = shape
  const bound = { origin: 'string', input: value, path }
  if (value.length < lengthMin) {
    issues.push({ ...bound, code: 'too_small', minimum: lengthMin, continues: !shape.endsWhenShort })
    if (shape.endsWhenShort) return value
  }
  if (value.length > lengthMax) {
    issues.push({ ...bound, code: 'too_big', maximum: lengthMax, continues: true })
  }
  if (pattern !== undefined && !pattern.test.test(value)) {
    issues.push({ code: 'invalid_format', message: pattern.message, input: value, path, continues: true })
  }
  addFaults(find?.(value), path, issues)
  return value
}

function parseNumber(shape: Kind<'number'>, value: unknown, path: Path, issues: Issue[]): unknown {
  const { min, max, isInteger = false, find } = shape
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    issues.push(wrongType('number', value, path))
    return value
  }
  if (isInteger && !Number.isInteger(value)) {
    issues.push(wrongType('int', value, path))
    return value
  }
  const bound = { origin: isInteger ? 'int' : 'number', input: value, path, continues: true }
  const floor = Number.MIN_SAFE_INTEGER
  if (isInteger && value < floor) issues.push({ ...bound, code: 'too_small', minimum: floor })
  if (isInteger && value > -floor) issues.push({ ...bound, code: 'too_big', maximum: -floor })
  if (value < min) issues.push({ ...bound, code: 'too_small', minimum: min })
  if (value > max) issues.push({ ...bound, code: 'too_big', maximum: max })
  addFaults(find?.(value), path, issues)
  return value
}

function parseList(shape: Kind<'list'>, value: unknown, path: Path, issues: Issue[]): unknown {
  if (!Array.isArray(value)) {
    issues.push(wrongType('array', value, path))
    return value
  }
  const maximum = shape.lengthMax
  if (value.length > maximum) {
    issues.push({ code: 'too_big', maximum, origin: 'array', input: value, path, continues: false })
    return value
  }
  return value.map((item, index) => parse(shape.item, item, [...path, index], issues))
}

function parseRecord(shape: RecordShape, value: unknown, path: Path, issues: Issue[]): unknown {
  if (!isJsonObject(value)) {
    issues.push(wrongType('object', value, path))
    return value
  }
  const own: Issue[] = []
  const parsed: Record<string, unknown> = shape.keepsUnknown ? { ...value } : {}
  for (const [name, member] of Object.entries(shape.members)) {
    if (value[name] === undefined && !shape.required?.includes(name)) continue
    parsed[name] = parse(member, value[name], [...path, name], own)
  }
  const keys = shape.isStrict ? Object.keys(value).filter((name) => !Object.hasOwn(shape.members, name)) : []
  if (keys.length > 0) own.push({ code: 'unrecognized_keys', keys, input: value, path, continues: true })
  if (own.every(({ continues }) => continues)) addFaults(shape.find?.(parsed), path, own)
  issues.push(...own)
  return parsed
}

function wrongType(expected: string, input: unknown, path: Path): Issue {
  return { code: 'invalid_type', expected, input, path, continues: false }
}

function addFaults(faults: readonly ShapeFault[] | undefined, path: Path, issues: Issue[]): void {
  for (const { message, code, path: inner = [] } of faults ?? []) {
    const params = code === undefined ? {} : { code }
    issues.push({ code: 'custom', message, params, path: [...path, ...inner], continues: true })
  }
}
