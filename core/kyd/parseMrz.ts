// Own code: the package mrz refuses the specimen, repeats the input in errors, and accepts days that do not exist.
import type { FieldError } from '../fieldErrors.ts'
import { computeMrzCheckDigit, parseMrzBirthDate, parseMrzExpiryDate, parseMrzNames } from './mrzFields.ts'

/** The fields of a passport's machine-readable zone that a reviewer compares with the picture. */
export type MrzFacts = {
  /** Of the state or organisation that issued it, one to three letters. */
  issuer: string
  surname: string
  /** Separated by spaces; empty for a person with one name. */
  givenNames: string
  documentNumber: string
  nationality: string
  /** `YYYY-MM-DD`, as far as it is known; empty if unknown. */
  birthDate: string
  sex: 'F' | 'M' | 'unspecified'
  /** `YYYY-MM-DD`. */
  expiryDate: string
}

export type ParsedMrz = { ok: true; facts: MrzFacts } | { ok: false; errors: FieldError[] }

/** Characters of a line of a passport's zone (TD3). */
const LINE_CHARS = 44
/** Longer than any zone that was typed with spaces in it. */
const TEXT_CHARS_MAX = 400
const CODE = /^(?:[A-Z]{3}|[A-Z]{2}<|[A-Z]<<)$/
const SEXES: Record<string, MrzFacts['sex']> = { F: 'F', M: 'M', '<': 'unspecified' }

/**
 * Parses the two lines of a passport's machine-readable zone as a person typed them, and checks the form, the five check
 * digits, that the dates exist, and that the passport has not expired.
 *
 * Lower-case letters and spaces are accepted, because the zone has neither. All errors are reported at once, each with its
 * field, and messages never repeat the input. The optional data in the second line is checked but not returned.
 *
 * @param today `YYYY-MM-DD`; a passport is still valid on its last day.
 * Source: ICAO Doc 9303-4 §4.2 (TD3), 9303-3 §4.
 */
export function parseMrz(text: string, today: string): ParsedMrz {
  const lines = linesOf(text)
  const errors = findShapeErrors(lines)
  const [first = '', second = ''] = lines
  if (errors.length > 0) return { ok: false, errors }
  const names = parseMrzNames(first.slice(5))
  const birthDate = parseMrzBirthDate(second.slice(13, 19), today)
  const expiryDate = parseMrzExpiryDate(second.slice(21, 27), today)
  const documentNumber = second.slice(0, 9)
  const sex = SEXES[second[20] ?? '']
  const refuse = (isWrong: boolean, field: string, code: string, message: string) => {
    if (isWrong) errors.push({ pointer: `/mrz/${field}`, code, message })
  }
  refuse(first[0] !== 'P', 'documentCode', 'not_a_passport', 'the first line of a passport begins with P')
  refuse(!CODE.test(first.slice(2, 5)), 'issuer', 'invalid_format', 'expected the letters of a state')
  refuse(names === null, 'names', 'invalid_format', 'expected SURNAME<<GIVEN<NAMES of letters, then fillers')
  refuse(
    !isNumber(documentNumber),
    'documentNumber',
    'invalid_format',
    'expected letters and digits, then fillers',
  )
  refuse(!CODE.test(second.slice(10, 13)), 'nationality', 'invalid_format', 'expected the letters of a state')
  refuse(birthDate === null, 'birthDate', 'invalid_date', 'there is no such day')
  refuse(sex === undefined, 'sex', 'invalid_format', 'expected F, M or <')
  refuse(expiryDate === null, 'expiryDate', 'invalid_date', 'there is no such day')
  refuse(expiryDate !== null && expiryDate < today, 'expiryDate', 'expired', 'the passport has expired')
  errors.push(...checkDigitErrors(second))
  if (errors.length > 0 || !names || birthDate === null || !expiryDate || !sex) return { ok: false, errors }
  return {
    ok: true,
    facts: {
      issuer: stripFillers(first.slice(2, 5)),
      ...names,
      documentNumber: stripFillers(documentNumber),
      nationality: stripFillers(second.slice(10, 13)),
      birthDate,
      sex,
      expiryDate,
    },
  }
}

function linesOf(text: string): string[] {
  return text
    .slice(0, TEXT_CHARS_MAX)
    .split(/[\r\n]+/)
    .map((line) => line.replace(/[ \t]+/g, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase()))
    .filter((line) => line !== '')
}

function findShapeErrors(lines: string[]): FieldError[] {
  if (lines.length !== 2) {
    return [{ pointer: '/mrz', code: 'invalid_format', message: `expected two lines, got ${lines.length}` }]
  }
  return lines.flatMap((line, index) => {
    const pointer = `/mrz/line${index + 1}`
    if (!/^[A-Z0-9<]*$/.test(line)) {
      return [{ pointer, code: 'invalid_format', message: 'expected only letters A to Z, digits and <' }]
    }
    if (line.length === LINE_CHARS) return []
    const message = `expected ${LINE_CHARS} characters, got ${line.length}`
    return [{ pointer, code: line.length < LINE_CHARS ? 'too_small' : 'too_big', message }]
  })
}

/** Field, its range in the second line, and the position of its check digit. */
const CHECKED: readonly [field: string, parts: readonly [from: number, to: number][], digitAt: number][] = [
  ['documentNumber', [[0, 9]], 9],
  ['birthDate', [[13, 19]], 19],
  ['expiryDate', [[21, 27]], 27],
  ['optionalData', [[28, 42]], 42],
  [
    'composite',
    [
      [0, 10],
      [13, 20],
      [21, 43],
    ],
    43,
  ],
]

function checkDigitErrors(line: string): FieldError[] {
  return CHECKED.flatMap(([field, parts, digitAt]) => {
    const checked = parts.map(([from, to]) => line.slice(from, to)).join('')
    const digit = line[digitAt]
    // The check digit of empty optional data may be a filler. Source: ICAO Doc 9303-4 §4.2.2.2.
    const isLeftOut = field === 'optionalData' && digit === '<' && /^<+$/.test(checked)
    if (isLeftOut || digit === String(computeMrzCheckDigit(checked))) return []
    const message = `the check digit, character ${digitAt + 1} of the second line, does not match`
    return [{ pointer: `/mrz/${field}`, code: 'wrong_check_digit', message }]
  })
}

function isNumber(field: string): boolean {
  return /^[A-Z0-9]+(?:<[A-Z0-9]+)*<*$/.test(field)
}

function stripFillers(field: string): string {
  return field.replace(/<+$/, '').replaceAll('<', ' ')
}
