/** What is wrong with a value: a message, and a code unless it is `custom`; `path` leads to the member that is at fault. */
export type ShapeFault = { message: string; code?: string; path?: readonly string[] }

/**
 * The shape of a JSON value, as data: what the client library parses input with, because a schema library is ten times the
 * size of the local evaluator.
 *
 * Shapes repeat what the schemas of the service's contract say; a property test compares the two. `find` finds faults that
 * need code: of a record, only if its members have the right types.
 */
export type Shape =
  | TextShape
  | { kind: 'number'; min: number; max: number; isInteger?: boolean; find?: (value: number) => ShapeFault[] }
  | { kind: 'flag' }
  | { kind: 'choice'; values: readonly (string | number)[] }
  | { kind: 'list'; item: Shape; lengthMax: number }
  | RecordShape

type TextShape = {
  kind: 'text'
  lengthMax?: number
  lengthMin?: 1
  /** Nothing else is said about a text that is too short. */
  endsWhenShort?: boolean
  pattern?: { test: RegExp; message: string }
  find?: (text: string) => ShapeFault[]
}

/**
 * Members are optional unless `required` names them. Unknown ones are rejected if `isStrict`, left in if `keepsUnknown`, and
 * otherwise left out.
 */
export type RecordShape = {
  kind: 'record'
  members: Readonly<Record<string, Shape>>
  required?: readonly string[]
  isStrict?: boolean
  keepsUnknown?: boolean
  find?: (value: Readonly<Record<string, unknown>>) => ShapeFault[]
}

/** A record without unknown members. */
export function strict(
  members: RecordShape['members'],
  more: Partial<Omit<RecordShape, 'kind' | 'members'>> = {},
): RecordShape {
  return { kind: 'record', members, isStrict: true, ...more }
}
